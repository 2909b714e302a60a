import { isObject } from '../jsonrpc/classify.ts'
import type { FrontMatter } from './protocol.ts'

/** Why a front matter cannot be used, and on which line of the file. */
export class FrontMatterError extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.name = 'FrontMatterError'
    this.line = line
  }
}

const maxLength = 65_536
const maxName = 64
const nameForm = /^[a-z\d]+(?:-[a-z\d]+)*$/
// Line breaks and tabs are text; of the rest none can be seen, and some make one text look like another.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds them
const unprintable = /[\0-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]|\p{Surrogate}/u

/** Reads the front matter of a `SKILL.md`: every field as it was written. */
export async function parseFrontMatter(text: string): Promise<FrontMatter> {
  const lines = linesOf(text)
  const odd = lines.findIndex((line) => unprintable.test(line))
  if (odd >= 0) throw new FrontMatterError(odd + 2, 'a character that cannot be seen')
  const { readYaml } = await import('./front-matter-yaml.ts')
  const value = readYaml(lines)
  if (!isObject(value)) throw new FrontMatterError(2, 'expected fields such as "name: …"')
  const field = wrongField(value)
  if (field !== undefined) throw new FrontMatterError(lineOf(lines, field.name), `${field.name}: ${field.problem}`)
  return value as FrontMatter
}

/** The lines between the first two that consist of three dashes. */
function linesOf(text: string): string[] {
  const start = text.startsWith('\ufeff') ? 1 : 0
  if (!/^---[ \t]*\r?\n/.test(text.slice(start, start + 256))) {
    throw new FrontMatterError(1, 'expected three dashes on the first line, and the front matter after them')
  }
  // One more than is allowed, so that the end is looked for in a text of limited length.
  const [, ...lines] = text.slice(start, start + maxLength + 1).split(/\r?\n/)
  const end = lines.findIndex((line) => /^---[ \t]*$/.test(line))
  if (end >= 0) return lines.slice(0, end)
  const problem = text.length > maxLength ? `is longer than ${maxLength} characters` : 'has no three dashes after it'
  throw new FrontMatterError(1, `the front matter ${problem}`)
}

interface WrongField {
  name: string
  problem: string
}

/** The first field that breaks a rule of Agent Skills. */
function wrongField(fields: { [field: string]: unknown }): WrongField | undefined {
  const problems: [string, string | undefined][] = [
    ['name', wrongName(fields.name)],
    ['description', wrongText(fields.description, 1_024)],
    ['compatibility', fields.compatibility === undefined ? undefined : wrongText(fields.compatibility, 500)],
    ['metadata', fields.metadata === undefined || isObject(fields.metadata) ? undefined : 'expected a map'],
  ]
  const [name, problem] = problems.find(([, found]) => found !== undefined) ?? []
  return name === undefined || problem === undefined ? undefined : { name, problem }
}

export function wrongName(name: unknown): string | undefined {
  if (typeof name === 'string' && name.length <= maxName && nameForm.test(name)) return undefined
  const found = name === undefined ? 'none' : String(JSON.stringify(name)).slice(0, 80)
  return `expected 1 to ${maxName} lower-case letters, digits and single hyphens, got ${found}`
}

function wrongText(text: unknown, maxCharacters: number): string | undefined {
  if (text === undefined) return 'expected a text, got none'
  if (typeof text !== 'string') return `expected a text, got ${String(JSON.stringify(text)).slice(0, 80)}`
  if (text.trim() === '') return 'expected a text that is not empty'
  if (text.length <= maxCharacters) return undefined
  return `expected at most ${maxCharacters} characters, got ${text.length}`
}

function lineOf(lines: readonly string[], field: string): number {
  return (
    Math.max(
      0,
      lines.findIndex((line) => line.replace(/^["']/, '').startsWith(field)),
    ) + 2
  )
}
