import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { requirements } from './table.ts'

/** A citation in brackets: `[ping.respond]`, or `[ping.respond @2025-06-18]` for these revisions only. */
export interface Cited {
  id: string
  revisions?: readonly string[]
}

/** A citation in a comment of a test. */
export interface Citation extends Cited {
  /** Relative to the root of the repo. */
  file: string
  line: number
  /** The line of the test below the comment; undefined for the test around it. */
  above?: number
}

const root = new URL('../../', import.meta.url)
const pattern = /\[([a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9-]+)+)(?: @([\d,-]+))?\]/g
const areas = new Set([...requirements.keys()].map((id) => id.split('.')[0]))
const isComment = (line: string): boolean => /^\s*(\/\/|\/?\*)/.test(line)
const isTitle = (line: string): boolean => /\b(?:test|it|describe)\b.*\(\s*['"`]/.test(line)

/** The citations in a text. */
export const citedIn = (text: string): Cited[] =>
  [...text.matchAll(pattern)].map(([, id, named]) => ({ id: id!, ...(named && { revisions: named.split(',') }) }))

/** The cited ids in a text. */
export const idsIn = (text: string): string[] => citedIn(text).map(({ id }) => id)

const isRequirement = ({ id }: Cited): boolean => areas.has(id.split('.')[0])

/** The citations in the comments of a test file. */
export function commentsIn(file: string, source: string): Citation[] {
  const lines = source.split('\n')
  return lines.flatMap((line, index) => {
    if (!isComment(line)) return []
    const above = testBelow(lines, index)
    const place = { file, line: index + 1, ...(above !== undefined && { above }) }
    return citedIn(line)
      .filter(isRequirement)
      .map((cited) => ({ ...cited, ...place }))
  })
}

/** The citations in the comments and titles of a test file: code has brackets too. */
export const citationsIn = (source: string): Cited[] =>
  source
    .split('\n')
    .filter((line) => isComment(line) || isTitle(line))
    .flatMap(citedIn)
    .filter(isRequirement)

/** The line of the test or the group below a comment. */
function testBelow(lines: readonly string[], index: number): number | undefined {
  const next = lines.findIndex((line, at) => at > index && !isComment(line))
  return next >= 0 && /^\s*(test|it|describe)\b/.test(lines[next]!) ? next + 1 : undefined
}

export interface Source {
  file: string
  text: string
}

/** The files of a folder of the repo that end in one of these. */
export function filesUnder(folder: string, ...endings: string[]): Source[] {
  const found = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
  return found
    .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path) && endings.some((ending) => path.endsWith(ending)))
    .map((path) => ({ file: `${folder}${path}`, text: readFileSync(new URL(folder + path, root), 'utf8') }))
    .sort((one, other) => one.file.localeCompare(other.file))
}

export const testFiles = (): Source[] =>
  ['packages/', 'servers/', 'examples/'].flatMap((folder) => filesUnder(folder, '.test.ts', '.suite.ts'))

export const transcriptFiles = (): Source[] => filesUnder('conformance/transcripts/', '.transcript')

/** The revision of a transcript is its folder. */
export const revisionOf = ({ file }: Source): string => file.split('/').at(-2)!

/** A path in the form of citations. */
export const relativeToRoot = (path: string): string => {
  const folder = fileURLToPath(root)
  return path.startsWith(folder) ? path.slice(folder.length).replaceAll('\\', '/') : path
}
