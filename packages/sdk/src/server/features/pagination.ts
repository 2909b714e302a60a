import { ErrorCode, RpcError } from '../../errors.ts'
import { base64UrlToBytes, bytesToBase64Url } from '../../internal/base64.ts'

/** One page of a list and the cursor of the next. */
interface ItemsPage<T> {
  items: T[]
  nextCursor?: string
}

/**
 * Cuts a page out of a list. A cursor names the last item that was sent, and where it stood: it needs no memory here,
 * so it survives a restart, and a list that changed meanwhile is continued where that item is, or was.
 */
export function paginate<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  pageSize: number,
  cursor?: string,
): ItemsPage<T> {
  const start = cursor === undefined ? 0 : startAfter(items, keyOf, decodeCursor(cursor))
  const page = items.slice(start, start + pageSize)
  const end = start + page.length
  if (end >= items.length || page.length === 0) return { items: page }
  return { items: page, nextCursor: encodeCursor({ key: keyOf(items[end - 1]!), index: end - 1 }) }
}

interface Position {
  key: string
  index: number
}

function startAfter<T>(items: readonly T[], keyOf: (item: T) => string, { key, index }: Position): number {
  const there = items[index]
  if (there !== undefined && keyOf(there) === key) return index + 1
  const moved = items.findIndex((item) => keyOf(item) === key)
  return moved >= 0 ? moved + 1 : Math.min(index, items.length)
}

export const encodeCursor = ({ key, index }: Position): string =>
  bytesToBase64Url(new TextEncoder().encode(JSON.stringify([index, key])))

export function decodeCursor(cursor: string): Position {
  try {
    const bytes = base64UrlToBytes(cursor)
    const [index, key] = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown[]
    if (Number.isSafeInteger(index) && (index as number) >= 0 && typeof key === 'string') {
      return { index: index as number, key }
    }
  } catch {
    // Falls through: it is not a cursor of this server.
  }
  throw new RpcError(ErrorCode.InvalidParams, 'Invalid cursor: expected one that this server returned')
}
