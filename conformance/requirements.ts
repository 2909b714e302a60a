import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Revision } from '@tenon/sdk/server'

export interface Requirement {
  /** The file that lists it. */
  area: string
  revisions: readonly string[]
}

const folder = new URL('../../shared/spec/requirements/', import.meta.url)
export const hasRequirements: boolean = existsSync(folder)

/** Every requirement of the specification by its id; empty where the lists are not at hand. */
export const requirements: ReadonlyMap<string, Requirement> = new Map(hasRequirements ? readAll() : [])

function readAll(): [string, Requirement][] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
  return files.flatMap((file) => {
    const text = readFileSync(new URL(file, folder), 'utf8')
    return text
      .split(/^- id: /m)
      .slice(1)
      .map((row): [string, Requirement] => {
        const [, list = ''] = /^ {2}revisions: \[(.*)\]$/m.exec(row) ?? []
        return [
          row.slice(0, row.indexOf('\n')).trim(),
          { area: file.slice(0, -5), revisions: list.match(/[\d-]{10}/g) ?? [] },
        ]
      })
  })
}

/** Those of some requirements that hold in a revision. An id that does not exist is kept: it has to be noticed. */
export const requirementsIn = (revision: Revision, ids: readonly string[]): string[] =>
  ids.filter((id) => requirements.get(id)?.revisions.includes(revision) ?? true)

const citation = /\[([a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9-]+)+)\]/g

/** The ids in brackets that a text cites. */
export const citedIn = (text: string): string[] => [...text.matchAll(citation)].map(([, id]) => id!)

const isCommentOrTitle = (line: string): boolean => /^\s*(\/\/|\/?\*)|\b(?:test|it|describe)\b.*\(\s*['"`]/.test(line)

/** The ids that a test file cites, in comments and titles: `[rpc.request.id-type]`. Code has brackets too. */
export function citedInTests(source: string): string[] {
  const areas = new Set([...requirements.keys()].map((id) => id.split('.')[0]))
  const lines = source.split('\n').filter(isCommentOrTitle)
  return lines.flatMap(citedIn).filter((id) => areas.has(id.split('.')[0]))
}
