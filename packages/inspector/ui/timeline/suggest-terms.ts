import { queryKeys } from '../../src/timeline/query-keys.ts'

/** A term that the query may go on with. */
export interface TermSuggestion {
  /** The whole query with it, and the place of the cursor then. */
  query: string
  caret: number
  label: string
  about: string
}

/** Values that the timeline has: names of servers, methods. */
export type KnownValues = { readonly [key: string]: readonly string[] }

const maxSuggestions = 12

/** Keys and values for the term at the cursor; none for one that is complete. */
export function suggestTerms(query: string, caret: number, known: KnownValues): TermSuggestion[] {
  const before = query.slice(0, caret)
  const rest = query.slice(caret).replace(/^[^\s"]+/, '')
  const value = /(?:^|\s)-?([a-z]+):(?:[^\s",]*,)*("?[^\s",]*)$/i.exec(before)
  if (value !== null) return valuesFor(value[1]!.toLowerCase(), value[2]!, before, rest, known)
  const [, typed] = /(?:^|\s)-?([a-z]+)$/i.exec(before) ?? []
  if (typed === undefined) return []
  const start = before.slice(0, before.length - typed.length)
  return queryKeys
    .filter(({ key }) => key.startsWith(typed.toLowerCase()))
    .map(({ key, about }) => made(`${start}${key}:`, rest, `${key}:`, about))
}

function valuesFor(key: string, typed: string, before: string, rest: string, known: KnownValues): TermSuggestion[] {
  const found = queryKeys.find((one) => one.key === key)
  if (found === undefined) return []
  const own = Object.hasOwn(known, key) ? known[key]! : []
  const values = [...new Set([...(found.choices ?? []), ...own, ...(found.examples ?? [])])]
  const wanted = typed.replace('"', '').toLowerCase()
  if (values.some((value) => value.toLowerCase() === wanted)) return []
  const start = before.slice(0, before.length - typed.length)
  return values
    .filter((value) => value.toLowerCase().includes(wanted) && !value.includes('"'))
    .slice(0, maxSuggestions)
    .map((value) => {
      const written = /[\s,]/.test(value) ? `"${value}"` : value
      return made(`${start}${written}`, rest === '' ? ' ' : rest, value, found.about)
    })
}

const made = (start: string, rest: string, label: string, about: string): TermSuggestion => ({
  query: start + rest,
  caret: start.length + (rest.startsWith(' ') ? 1 : 0),
  label,
  about,
})
