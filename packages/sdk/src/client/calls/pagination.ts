import { ErrorCode, isRpcError, McpError } from '../../errors.ts'

/** A part of a list. */
export interface ListPage {
  /** Where the next part begins; absent at the end. */
  nextCursor?: string
}

/** How one kind of list is read. */
export interface PagedList<Result extends ListPage, Item> {
  name: string
  fetch(cursor: string | undefined): Promise<Result>
  items(page: Result): Item[]
  /** The member that identifies an item. */
  id(item: Item): string
}

/**
 * All items of a list, page by page as they are asked for. A server that hands out a cursor twice would keep its
 * reader busy forever, so that is an error; so are more pages than `maxPages`. If a cursor is not valid any more the
 * list is read from its beginning, once, for the items that are still missing.
 */
export async function* allItems<Result extends ListPage, Item>(
  listing: PagedList<Result, Item>,
  maxPages: number,
): AsyncGenerator<Item, void, undefined> {
  const known = new Set<string>()
  const missing = (item: Item): boolean => !known.has(listing.id(item))
  try {
    for await (const item of eachItem(listing, maxPages)) {
      known.add(listing.id(item))
      yield item
    }
  } catch (error) {
    if (!(error instanceof CursorRefused)) throw error
    try {
      for await (const item of eachItem(listing, maxPages)) if (missing(item)) yield item
    } catch (second) {
      throw second instanceof CursorRefused ? second.cause : second
    }
  }
}

/** The server does not know its cursor any more; the cause is its error. */
class CursorRefused extends Error {}

async function* eachItem<Result extends ListPage, Item>(
  { name, fetch, items }: PagedList<Result, Item>,
  maxPages: number,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let pages = 0; pages < maxPages; pages++) {
    const page: Result = await fetch(cursor).catch((error: unknown) => {
      const refused = cursor !== undefined && isRpcError(error) && error.code === ErrorCode.InvalidParams
      throw refused ? new CursorRefused('', { cause: error }) : error
    })
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
