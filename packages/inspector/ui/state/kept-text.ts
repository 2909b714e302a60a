import { Unread } from '../form/draft.ts'

/** A value of the page as text. Unlike JSON it knows texts that were not read, long integers and nothing at all. */
export const toKeptText = (value: unknown): string => JSON.stringify(wrap(value))

/** The value of a text that was kept; undefined if it is none. */
export function fromKeptText(text: string): unknown {
  try {
    return unwrap(JSON.parse(text) as Wrapped)
  } catch {
    return undefined
  }
}

/** Each object says which kind of value it stands for, so that nothing a person types can be taken for another kind. */
type Wrapped =
  | string
  | number
  | boolean
  | null
  | { unread: [text: string, problem: string] }
  | { integer: string }
  | { list: Wrapped[] }
  | { members: [name: string, value: Wrapped][] }
  | { nothing: true }

function wrap(value: unknown): Wrapped {
  if (value === undefined) return { nothing: true }
  if (value instanceof Unread) return { unread: [value.text, value.problem] }
  if (typeof value === 'bigint') return { integer: String(value) }
  if (Array.isArray(value)) return { list: value.map(wrap) }
  if (typeof value !== 'object' || value === null) return value as string | number | boolean | null
  return { members: Object.entries(value).map(([name, member]) => [name, wrap(member)]) }
}

function unwrap(wrapped: Wrapped): unknown {
  if (typeof wrapped !== 'object' || wrapped === null) return wrapped
  if ('unread' in wrapped) return new Unread(...wrapped.unread)
  if ('integer' in wrapped) return BigInt(wrapped.integer)
  if ('list' in wrapped) return wrapped.list.map(unwrap)
  if ('members' in wrapped) return Object.fromEntries(wrapped.members.map(([name, member]) => [name, unwrap(member)]))
  return undefined
}
