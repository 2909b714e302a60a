import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { requirements } from './table.ts'

/** A requirement that a source names in brackets: in a title, in a comment of a test, or in a transcript. */
export interface Citation {
  id: string
  /** Relative to the root of the repo. */
  file: string
  line: number
  /** Where the test begins that the comment stands above; undefined for the test around it. */
  above?: number
}

const root = new URL('../../', import.meta.url)
const pattern = /\[([a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9-]+)+)\]/g
const areas = new Set([...requirements.keys()].map((id) => id.split('.')[0]))
const isComment = (line: string): boolean => /^\s*(\/\/|\/?\*)/.test(line)
const isTitle = (line: string): boolean => /\b(?:test|it|describe)\b.*\(\s*['"`]/.test(line)

/** The ids in brackets that a text cites. */
export const citedIn = (text: string): string[] => [...text.matchAll(pattern)].map(([, id]) => id!)

/** What a test file cites, in comments and titles: code has brackets too. */
export function citationsIn(file: string, source: string): Citation[] {
  const lines = source.split('\n')
  return lines.flatMap((line, index) => {
    if (!isComment(line) && !isTitle(line)) return []
    const ids = citedIn(line).filter((id) => areas.has(id.split('.')[0]))
    const above = isComment(line) ? testBelow(lines, index) : index + 1
    return ids.map((id) => ({ id, file, line: index + 1, ...(above !== undefined && { above }) }))
  })
}

/** The line of the test or the group that a comment stands above. */
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

/** A path as citations have it. */
export const relativeToRoot = (path: string): string => {
  const folder = fileURLToPath(root)
  return path.startsWith(folder) ? path.slice(folder.length).replaceAll('\\', '/') : path
}
