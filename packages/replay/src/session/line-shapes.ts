import type { JsonObject } from '@tenon/sdk/client'
import { describeValue } from '../json/describe-value.ts'
import { isObject } from '../json/is-object.ts'

/** A member of a line: its type, and whether it may be absent. */
interface Member {
  expected: string
  fits: (value: unknown) => boolean
  isOptional?: true
  /** The members of an object. */
  inside?: LineShape
}

export type LineShape = { readonly [name: string]: Member }

/** The farthest from 1970 that a `Date` can be. */
const maxTime = 8.64e15

const text: Member = { expected: 'a string', fits: (value) => typeof value === 'string' }
const number: Member = { expected: 'a number', fits: (value) => typeof value === 'number' && Number.isFinite(value) }
/** Whether a `Date` can be made of it. */
export const isTime = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) <= maxTime
const time: Member = { expected: 'a number within ±8.64e15', fits: isTime }
const yes: Member = { expected: 'true or false', fits: (value) => typeof value === 'boolean' }
const id: Member = {
  expected: 'a string or a number',
  fits: (value) => typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value)),
}
const side = oneOf('client', 'server')
const texts: Member = {
  expected: 'an array of strings',
  fits: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
}
const headers: Member = {
  expected: 'an object of strings',
  fits: (value) => isObject(value) && Object.values(value).every((item) => typeof item === 'string'),
}

function oneOf(...words: string[]): Member {
  const expected = words.map((word) => JSON.stringify(word)).join(' or ')
  return { expected, fits: (value) => words.some((word) => word === value) }
}
const optional = (member: Member): Member => ({ ...member, isOptional: true })
const object = (inside: LineShape): Member => ({ expected: 'an object', fits: isObject, inside })

/** The description of a peer, recorded as it was sent. */
const anything: Member = { expected: 'a value', fits: (value) => value !== undefined }

const target = object({
  url: optional(text),
  headers: optional(texts),
  command: optional(text),
  args: optional(texts),
  cwd: optional(text),
  env: optional(texts),
  name: optional(text),
})

export const headerShape: LineShape = {
  at: time,
  by: optional(text),
  title: optional(text),
  target: optional(target),
  client: optional(anything),
  server: optional(anything),
  revision: optional(text),
}

const refusal = object({ code: number, message: text, id: optional(id), kind: optional(text) })

const http = object({
  id,
  phase: oneOf('request', 'reply', 'event', 'end', 'failed'),
  method: text,
  url: text,
  headers,
  status: optional(number),
  bytes: optional(number),
  aborted: optional(yes),
  error: optional(text),
  event: optional(
    object({
      id: optional(text),
      name: optional(text),
      retry: optional(number),
      characters: optional(number),
      comment: optional(text),
    }),
  ),
})

/** A line of a kind that this version does not know. */
export const otherShape: LineShape = { at: time }

/** Each kind of line. Code that shows or replays a session relies on these types. */
export const eventShapes: ReadonlyMap<string, LineShape> = new Map<string, LineShape>([
  ['message', { at: time, from: side, payload: { ...anything, expected: 'a message' }, during: optional(id) }],
  ['refused', { at: time, from: side, refusal }],
  ['unanswered', { at: time, from: side, id, reason: optional(text), cancelled: optional(yes) }],
  ['http', { at: time, http }],
  ['stderr', { at: time, text }],
  ['opened', { at: time, transport: optional(text) }],
  ['agreed', { at: time, revision: text, client: optional(anything), server: optional(anything) }],
  ['closed', { at: time, reason: optional(text), redacted: optional(number) }],
  ['note', { at: time, text }],
])

/** The first member of a wrong type, as a message. */
export function problemWith(value: JsonObject, shape: LineShape, path = ''): string | undefined {
  for (const [name, { expected, fits, isOptional, inside }] of Object.entries(shape)) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined
    if (member === undefined && isOptional) continue
    if (!fits(member)) return `${path}${name}: expected ${expected}, got ${describeValue(member)}`
    const problem = inside && problemWith(member as JsonObject, inside, `${path}${name}.`)
    if (problem !== undefined) return problem
  }
  return undefined
}
