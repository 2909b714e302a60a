import { type Issues, pathOf } from '../form/check.ts'
import type { Unread } from '../form/draft.ts'
import { type Place, placesIn } from './scan-json.ts'

/** A stretch of the text with a fault, or with a value that the schema does not allow. */
export interface Mark {
  from: number
  to: number
  /** `error`: the text cannot be sent; `warning`: it is sent all the same. */
  severity: 'error' | 'warning'
  message: string
}

const maxMarks = 200

/** The validation errors of a text, each at the value that it is about. */
export function issueMarks(text: string, issues: Issues): Mark[] {
  const places = new Map(placesIn(text).map((place) => [place.path.reduce<string>(pathOf, ''), place]))
  return [...issues].slice(0, maxMarks).flatMap(([path, messages]) => {
    const at = nearest(places, path)
    const place = places.get(at)
    if (place === undefined) return []
    // A member that is missing has no place of its own: its object says which one.
    const missing = path.slice(at.length + 1)
    const message = `${missing === '' ? '' : `${missing} `}${messages.join('; ')}`
    return [{ ...headOf(text, place), severity: 'warning' as const, message }]
  })
}

/** The path itself, or that of the value around it that is there. */
function nearest(places: ReadonlyMap<string, Place>, path: string): string {
  let at = path
  while (at !== '' && !places.has(at)) at = at.slice(0, at.lastIndexOf('/'))
  return at
}

/** Of an object or an array only the bracket is marked, or the name before it: the rest may be fine. */
function headOf(text: string, { from, to, name }: Place): { from: number; to: number } {
  if (!/[{[]/.test(text[from] ?? '')) return { from, to }
  return name === undefined ? { from, to: from + 1 } : { from: name.from, to: name.to }
}

/** The fault of a text that is no value, at its place: a number that would be rounded, a name that is there twice, or `syntaxAt`. */
export function faultMarks(text: string, { problem }: Unread, syntaxAt: number | undefined): Mark[] {
  const mark = (from: number, to: number, message: string): Mark[] => [{ from, to, severity: 'error', message }]
  if (syntaxAt !== undefined) {
    const from = Math.min(syntaxAt, Math.max(0, text.length - 1))
    return mark(from, Math.min(from + 1, text.length), problem)
  }
  const seen = new Set<string>()
  // Members are told in the order in which their values end, which is that of their names in one object.
  for (const place of placesIn(text)) {
    const key = place.path.reduce<string>(pathOf, '')
    if (place.name !== undefined && seen.has(key)) return mark(place.name.from, place.name.to, problem)
    seen.add(key)
    const token = text.slice(place.from, place.to)
    if (problem.startsWith(`${token.slice(0, 50)} `)) return mark(place.from, place.to, problem)
  }
  return mark(0, Math.min(1, text.length), problem)
}
