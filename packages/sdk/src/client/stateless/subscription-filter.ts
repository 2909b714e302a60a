import type { JsonObject } from '../../jsonrpc/message.ts'

/** The entries of a filter: fields that are on, and values of fields that are lists. */
export type FilterEntries = ReadonlySet<string>

/** One of them. Names of fields have no space, so the rest is the value. */
export const filterEntry = (field: string, value?: string): string =>
  value === undefined ? field : `${field} ${value}`

/** True for a whole field. A value that is refused fails its `watch`; a field has no such call. */
export const isFieldEntry = (each: string): boolean => !each.includes(' ')

/** The filter with these entries. */
export function filterOf(wishes: FilterEntries): JsonObject {
  const filter = new Map<string, true | string[]>()
  for (const each of wishes) {
    const space = each.indexOf(' ')
    if (space < 0) filter.set(each, true)
    else add(filter, each.slice(0, space), each.slice(space + 1))
  }
  return Object.fromEntries(filter)
}

function add(filter: Map<string, true | string[]>, field: string, value: string): void {
  const values = filter.get(field)
  if (Array.isArray(values)) values.push(value)
  else filter.set(field, [value])
}

/** The requested entries that an acknowledged filter has. A server cannot add to them. */
export function grantedEntries(filter: JsonObject, asked: FilterEntries): FilterEntries {
  const said = Object.entries(filter).flatMap(([field, value]) => {
    if (value === true) return [field]
    return Array.isArray(value)
      ? value.filter((each) => typeof each === 'string').map((each) => filterEntry(field, each))
      : []
  })
  return new Set(said.filter((each) => asked.has(each)))
}
