import type { JsonObject } from '../../jsonrpc/message.ts'
import { isObject } from '../change.ts'

interface Option {
  value: string
  title: string
}

export const isMultiSelect = (field: JsonObject): boolean => field.type === 'array'

const asOption = (entry: unknown): Option[] => {
  if (typeof entry === 'string') return [{ value: entry, title: entry }]
  if (!isObject(entry) || typeof entry.const !== 'string') return []
  return [{ value: entry.const, title: typeof entry.title === 'string' ? entry.title : entry.const }]
}

/** The options of an enum field, in all spellings. */
export function optionsOf(field: JsonObject): Option[] {
  const source = isObject(field.items) ? field.items : field
  const list = source.anyOf ?? source.oneOf ?? source.enum
  return Array.isArray(list) ? list.flatMap(asOption) : []
}

// An option starts the text if a comma or the end follows it; options may contain commas, so the longest one counts.
function leadingOption(text: string, options: readonly Option[]): { value: string; length: number } | undefined {
  const ends = (label: string) => label !== '' && /^\s*(,|$)/.test(text.slice(label.length))
  const labels = options.flatMap(({ value, title }) => [
    { label: value, value },
    { label: title, value },
  ])
  const startsLoosely = (label: string) => text.slice(0, label.length).toLowerCase() === label.toLowerCase()
  const exact = labels.filter(({ label }) => text.startsWith(label) && ends(label))
  const loose = labels.filter(({ label }) => startsLoosely(label) && ends(label))
  const best = (found: typeof labels) => found.sort((a, b) => b.label.length - a.label.length)[0]
  const match = best(exact) ?? best(loose)
  return match && { value: match.value, length: match.label.length }
}

/** Reads a comma separated answer. Values and titles count; other text stays as it is, for validation to refuse. */
export function selectionFrom(answer: string, options: readonly Option[]): string[] {
  const selection: string[] = []
  let rest = answer.trim()
  while (rest !== '') {
    const option = leadingOption(rest, options)
    const comma = rest.indexOf(',', option?.length ?? 0)
    const end = comma === -1 ? rest.length : comma
    const value = option?.value ?? rest.slice(0, end).trim()
    if (value !== '') selection.push(value)
    rest = rest.slice(end + 1).trim()
  }
  return selection
}
