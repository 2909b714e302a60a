import { allItems } from '../client/calls/pagination.ts'
import { McpError } from '../errors.ts'
import { describe, isObject } from '../jsonrpc/classify.ts'
import type { JsonObject } from '../jsonrpc/message.ts'

const maxPages = 1_000
/** Of a whole list, in characters of JSON. */
const maxListLength = 64 * 1024 * 1024

/** All items of a list that comes in pages, as long as it is neither endless nor huge. */
export async function collect(
  field: string,
  ask: (params: { cursor?: string }) => Promise<JsonObject>,
  max: number,
): Promise<unknown[]> {
  const all: unknown[] = []
  let length = 0
  const fetch = async (cursor: string | undefined): Promise<JsonObject & { nextCursor?: string }> => {
    const { nextCursor, ...page } = await ask(cursor === undefined ? {} : { cursor })
    if (!Array.isArray(page[field])) {
      throw new McpError('invalid_result', `${field}: expected a list, got ${describe(page[field])}`)
    }
    // Some servers write "no more" as an empty string.
    return typeof nextCursor === 'string' && nextCursor !== '' ? { ...page, nextCursor } : page
  }
  const items = (page: JsonObject): unknown[] => page[field] as unknown[]
  const id = (item: unknown): string => (isObject(item) && typeof item.uri === 'string' ? item.uri : '')
  for await (const item of allItems({ name: field, fetch, items, id }, maxPages)) {
    length += JSON.stringify(item).length
    if (all.length >= max || length > maxListLength) {
      const most = all.length >= max ? `${max} items` : `${maxListLength} characters`
      throw new McpError('invalid_result', `The list of ${field} has more than ${most}`)
    }
    all.push(item)
  }
  return all
}
