import { isObject } from './is-object.ts'
import { redactionMarker } from './redaction-marker.ts'

/** True if a value equals a recorded one, whose redacted parts match anything. */
export function matchesRecorded(recorded: unknown, value: unknown): boolean {
  if (typeof recorded === 'string') return typeof value === 'string' && fitsText(recorded, value)
  if (Array.isArray(recorded)) {
    return (
      Array.isArray(value) &&
      value.length === recorded.length &&
      recorded.every((item, i) => matchesRecorded(item, value[i]))
    )
  }
  if (!isObject(recorded)) return Object.is(recorded, value)
  if (!isObject(value)) return false
  const names = presentIn(recorded)
  return (
    names.length === presentIn(value).length &&
    names.every((name) => Object.hasOwn(value, name) && matchesRecorded(recorded[name], value[name]))
  )
}

const presentIn = (value: { [name: string]: unknown }): string[] =>
  Object.keys(value).filter((name) => value[name] !== undefined)

/** Each piece between the gaps has to follow the one before it: in linear time, unlike a pattern made from it. */
function fitsText(recorded: string, value: string): boolean {
  if (!recorded.includes(redactionMarker)) return recorded === value
  const pieces = recorded.split(redactionMarker)
  const last = pieces.pop()!
  const first = pieces.shift()!
  if (!value.startsWith(first) || !value.endsWith(last)) return false
  const end = value.length - last.length
  let at = first.length
  for (const piece of pieces) {
    const found = value.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return at <= end
}
