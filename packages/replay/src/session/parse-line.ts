import type { JsonObject } from '@tenon/sdk/client'
import { exceedsDepth } from '../json/depth.ts'
import { excerpt, isObject, kindOf } from '../json/is-object.ts'
import type { SessionEvent, SessionHeader } from './format.ts'

/** A session file that cannot be read, and where. */
export class SessionFileError extends Error {
  /** Counted from 1. */
  readonly line: number

  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`)
    this.name = 'SessionFileError'
    this.line = line
  }
}

const maxDepth = 256

type Check = (value: unknown) => boolean
const isText: Check = (value) => typeof value === 'string'
const isSide: Check = (value) => value === 'client' || value === 'server'
const isId: Check = (value) => typeof value === 'string' || typeof value === 'number'
// Who sends nonsense is recorded too.
const isPayload: Check = (value) => value !== undefined

/** What each kind of line must have besides `at`. */
const members: ReadonlyMap<string, readonly [name: string, check: Check, expected: string][]> = new Map([
  [
    'message',
    [
      ['from', isSide, '"client" or "server"'],
      ['payload', isPayload, 'a message'],
    ],
  ],
  [
    'refused',
    [
      ['from', isSide, '"client" or "server"'],
      ['refusal', isObject, 'an object'],
    ],
  ],
  [
    'unanswered',
    [
      ['from', isSide, '"client" or "server"'],
      ['id', isId, 'a string or a number'],
    ],
  ],
  ['http', [['http', isObject, 'an object']]],
  ['stderr', [['text', isText, 'a string']]],
  ['opened', []],
  ['agreed', [['revision', isText, 'a string']]],
  ['closed', []],
  ['note', [['text', isText, 'a string']]],
])

export function parseHeader(text: string, line: number): SessionHeader {
  const value = parseObject(text, line, 'a session file begins with {"tenonSession":1, …}')
  const { tenonSession: version, at } = value
  if (version === undefined) {
    throw new SessionFileError(line, `a session file begins with {"tenonSession":1, …}, got ${excerpt(text)}`)
  }
  if (version !== 1) {
    throw new SessionFileError(line, `tenonSession: this version reads 1, got ${kindOf(version)}`)
  }
  if (typeof at !== 'number') throw new SessionFileError(line, `at: expected a number, got ${kindOf(at)}`)
  return value as SessionHeader
}

/** An event; of a kind that is not known here as `other`. */
export function parseEvent(text: string, line: number): SessionEvent {
  const value = parseObject(text, line, 'expected an object with kind and at')
  const { kind, at } = value
  if (typeof kind !== 'string') throw new SessionFileError(line, `kind: expected a string, got ${kindOf(kind)}`)
  if (typeof at !== 'number') throw new SessionFileError(line, `at: expected a number, got ${kindOf(at)}`)
  const needed = members.get(kind)
  if (needed === undefined) return { kind: 'other', at, line: value }
  for (const [name, check, expected] of needed) {
    if (check(value[name])) continue
    throw new SessionFileError(line, `${name}: expected ${expected}, got ${kindOf(value[name])}`)
  }
  return value as unknown as SessionEvent
}

function parseObject(text: string, line: number, expected: string): JsonObject {
  // Messages nest at most 64 levels deep, in whatever a line puts around them.
  if (exceedsDepth(text, maxDepth)) throw new SessionFileError(line, `nests deeper than ${maxDepth} levels`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new SessionFileError(line, `not JSON: ${excerpt(text)}`)
  }
  if (!isObject(value)) throw new SessionFileError(line, `${expected}, got ${kindOf(value)}`)
  return value
}
