import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Revision } from '@tenon/sdk/server'

/** One normative statement of the specification. What it says is in the specification. */
export interface Requirement {
  /** The list that it comes from. */
  area: string
  id: string
  level: 'must' | 'must-not' | 'should' | 'should-not' | 'may'
  role: string
  revisions: readonly string[]
  /** False for guidance about people, documents and intent. */
  testable: boolean
}

const file = new URL('table.tsv', import.meta.url)
const lists = new URL('../../../shared/spec/requirements/', import.meta.url)
/** True where the lists that the table is made from are at hand. */
export const hasLists: boolean = existsSync(lists)

/** Every requirement by its id. */
export const requirements: ReadonlyMap<string, Requirement> = new Map(
  readTable().map((requirement) => [requirement.id, requirement]),
)

function readTable(): Requirement[] {
  const [, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n')
  return rows.map((row) => {
    const [area, id, level, role, revisions, testable] = row.split('\t') as [string, string, ...string[]]
    return {
      area,
      id,
      level: level as Requirement['level'],
      role: role!,
      revisions: revisions!.split(','),
      testable: testable === 'yes',
    }
  })
}

/** The table as it has to be, made from the lists. */
export function tableOfLists(): string {
  const header = ['area', 'id', 'level', 'role', 'revisions', 'testable']
  const names = readdirSync(lists).filter((name) => name.endsWith('.yaml'))
  const rows = names.sort().flatMap((name) =>
    readFileSync(new URL(name, lists), 'utf8')
      .split(/^- id: /m)
      .slice(1)
      .map((row) => [name.slice(0, -5), ...fieldsOf(row)]),
  )
  return `${[header, ...rows].map((row) => row.join('\t')).join('\n')}\n`
}

function fieldsOf(row: string): string[] {
  const field = (name: string): string => new RegExp(`^ {2}${name}: "?(.*?)"?$`, 'm').exec(row)?.[1] ?? ''
  const revisions = field('revisions').match(/[\d-]{10}/g) ?? []
  const id = row.slice(0, row.indexOf('\n')).trim()
  return [id, field('level'), field('role'), revisions.join(','), field('testable')]
}

export const writtenTable = (): string => readFileSync(file, 'utf8')
export const writeTable = (text: string): void => writeFileSync(file, text)

/** Those of some requirements that hold in a revision. An id that does not exist is kept: it has to be noticed. */
export const requirementsIn = (revision: Revision, ids: readonly string[]): string[] =>
  ids.filter((id) => requirements.get(id)?.revisions.includes(revision) ?? true)
