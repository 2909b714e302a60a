import { hidden } from '../../src/protocol-servers.ts'
import { Unread } from '../form/draft.ts'

/** How pairs are written, one per line. */
export interface PairKind {
  separator: '=' | ':'
  example: string
  /** Names the mistake in a pair, if there is one. */
  problem(name: string, value: string): string | undefined
}

export const variables: PairKind = {
  separator: '=',
  example: 'NAME=value',
  problem: (name, value) => (`${name}${value}`.includes('\0') ? 'A variable cannot hold a NUL' : undefined),
}

const token = /^[!#$%&'*+.^_`|~\w-]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: a header cannot hold them.
const notInHeaders = /[\0-\x08\x0a-\x1f\x7f]|[^\0-\xff]/

export const headers: PairKind = {
  separator: ':',
  example: 'Name: value',
  problem: (name, value) => {
    if (!token.test(name)) return `${JSON.stringify(name)} cannot be the name of a header`
    return notInHeaders.test(value) ? `The value of ${name} has characters that a header cannot hold` : undefined
  },
}

/** Reads pairs as they are typed; a line that would be sent as something else makes all of them unread. */
export function readPairs(text: string, kind: PairKind): { [name: string]: string } | Unread {
  const pairs = new Map<string, [name: string, value: string]>()
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const wrong = (problem: string): Unread => new Unread(text, `Line ${at + 1}: ${problem}`)
    const place = line.indexOf(kind.separator)
    const name = line.slice(0, place).trim()
    if (place === -1 || name === '') return wrong(`expected ${kind.example}`)
    const value = readValue(line.slice(place + 1).trim())
    if (value === undefined) return wrong('a value in quotes is written as in JSON')
    // The page does not know a hidden value: it can be left as it is or replaced, and nothing in between.
    if (value !== hidden && value.includes(hidden[0]!))
      return wrong(`the hidden value of ${name} cannot be edited, type it anew`)
    const problem = value === hidden ? undefined : kind.problem(name, value)
    if (problem !== undefined) return wrong(problem)
    // Names of headers are the same in any case.
    const key = kind.separator === ':' ? name.toLowerCase() : name
    if (pairs.has(key)) return wrong(`${name} is there twice`)
    pairs.set(key, [name, value])
  }
  return Object.fromEntries(pairs.values())
}

/** A value stands there as it is; in quotes if it has several lines, or spaces around it. */
function readValue(typed: string): string | undefined {
  if (!/^".*"$/s.test(typed)) return typed
  try {
    return JSON.parse(typed) as string
  } catch {
    return undefined
  }
}

export const textOfPairs = (pairs: { [name: string]: string } = {}, { separator }: PairKind): string =>
  Object.entries(pairs)
    .map(
      ([name, value]) =>
        `${name}${separator === ':' ? ': ' : '='}${needsQuotes(value) ? JSON.stringify(value) : value}`,
    )
    .join('\n')

const needsQuotes = (value: string): boolean => /[\r\n]/.test(value) || value !== value.trim() || value.startsWith('"')
