import type { JsonObject } from '@tenon/sdk/client'
import { exceedsDepth } from '../json/depth.ts'
import { describeValue, excerpt } from '../json/describe-value.ts'
import { isObject } from '../json/is-object.ts'
import type { SessionEvent, SessionHeader } from './format.ts'
import { eventShapes, headerShape, type LineShape, otherShape, problemWith } from './line-shapes.ts'

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

export function parseHeader(text: string, line: number): SessionHeader {
  const value = parseObject(text, line, 'a session file begins with {"tenonSession":1, …}')
  const { tenonSession: version } = value
  if (version === undefined) {
    throw new SessionFileError(line, `a session file begins with {"tenonSession":1, …}, got ${excerpt(text)}`)
  }
  if (version !== 1) {
    throw new SessionFileError(line, `tenonSession: this version reads 1, got ${describeValue(version)}`)
  }
  refuse(line, value, headerShape)
  return value as SessionHeader
}

/** An event; of a kind that is not known here as `other`. */
export function parseEvent(text: string, line: number): SessionEvent {
  const value = parseObject(text, line, 'expected an object with kind and at')
  const { kind, at } = value
  if (typeof kind !== 'string') throw new SessionFileError(line, `kind: expected a string, got ${describeValue(kind)}`)
  const shape = eventShapes.get(kind)
  refuse(line, value, shape ?? otherShape)
  return shape === undefined ? { kind: 'other', at: at as number, line: value } : (value as unknown as SessionEvent)
}

function refuse(line: number, value: JsonObject, shape: LineShape): void {
  const problem = problemWith(value, shape)
  if (problem !== undefined) throw new SessionFileError(line, problem)
}

function parseObject(text: string, line: number, expected: string): JsonObject {
  // Messages nest at most 64 levels deep, plus the members around them.
  if (exceedsDepth(text, maxDepth)) throw new SessionFileError(line, `nests deeper than ${maxDepth} levels`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new SessionFileError(line, `not JSON: ${excerpt(text)}`)
  }
  if (!isObject(value)) throw new SessionFileError(line, `${expected}, got ${describeValue(value)}`)
  return value
}
