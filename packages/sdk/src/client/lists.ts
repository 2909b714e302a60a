import { McpError } from '../errors.ts'

/** A part of a list. */
export interface Page {
  /** Where the next part begins; absent at the end. */
  nextCursor?: string
}

/** How one kind of list is read. */
export interface Listing<Result extends Page, Item> {
  name: string
  fetch(cursor: string | undefined): Promise<Result>
  items(page: Result): Item[]
}

/**
 * All items of a list, page by page as they are asked for. A server that hands out a cursor twice would keep its
 * reader busy forever, so that is an error; so are more pages than `maxPages`.
 */
export async function* allItems<Result extends Page, Item>(
  { name, fetch, items }: Listing<Result, Item>,
  maxPages: number,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let pages = 0; pages < maxPages; pages++) {
    const page = await fetch(cursor)
    yield* items(page)
    cursor = page.nextCursor
    if (cursor === undefined) return
    if (seen.has(cursor)) throw loop(name, cursor)
    seen.add(cursor)
  }
  throw new McpError('invalid_result', `The list of ${name} has more than ${maxPages} pages`)
}

const loop = (name: string, cursor: string): McpError =>
  new McpError('invalid_result', `The list of ${name} does not end: cursor ${JSON.stringify(cursor)} came twice`)
