import { encodeCursor, paginate } from '../server/features/pagination.ts'

interface Page<T> {
  items: T[]
  nextCursor?: string
}

const maxItems = 100
/** A manifest can have 512 files, so pages are measured too: of JSON, in characters. */
const maxLength = 256 * 1024

/** The items after a cursor: as many as make a message of moderate size, and always one. */
export function pageOf<T extends { uri: string }>(items: readonly T[], cursor: string | undefined): Page<T> {
  const { items: rest } = paginate(items, ({ uri }) => uri, Math.max(1, items.length), cursor)
  const page: T[] = []
  let length = 0
  for (const item of rest.slice(0, maxItems)) {
    length += JSON.stringify(item).length
    if (page.length > 0 && length > maxLength) break
    page.push(item)
  }
  const last = page.at(-1)
  if (last === undefined || page.length === rest.length) return { items: page }
  const index = items.length - rest.length + page.length - 1
  return { items: page, nextCursor: encodeCursor({ key: last.uri, index }) }
}
