import type { Database } from '../database.ts'
import { isText, type ShownValue, show, wholeCharacters } from '../value.ts'

/** A part of a string. */
export interface StringPart {
  readonly bytes: Buffer
  readonly offset: number
  /** Where the next part begins; missing if this is the end. */
  readonly nextOffset?: number
  /** Bytes of the whole string, if this is not all of it. */
  readonly total?: number
}

/**
 * Reads a part of a string by range, so that a long one never comes whole: one question to Redis for most strings. Nothing
 * if there is no such key.
 */
export async function readString(
  database: Database,
  key: Buffer,
  offset: number,
  length: number,
): Promise<StringPart | undefined> {
  // One byte more tells whether there is more.
  const reply = (await database.send('GETRANGE', key, offset, offset + length)) as Buffer
  if (reply.length === 0 && (await database.send('EXISTS', key)) === 0) return undefined
  if (reply.length <= length && offset === 0) return { bytes: reply, offset }
  const total = Number(await database.send('STRLEN', key))
  const bytes = reply.length <= length ? reply : wholeCharacters(reply.subarray(0, length))
  const end = offset + bytes.length
  return { bytes, offset, total, ...(end < total && bytes.length > 0 && { nextOffset: end }) }
}

/** The part as answers show it. */
export function shownPart({ bytes, offset, nextOffset, total }: StringPart): ShownValue & object {
  return {
    ...show(bytes, bytes.length),
    ...(total !== undefined && { offset, bytes: total }),
    ...(nextOffset !== undefined && { nextOffset }),
  }
}

/** Bytes in base64 as a block of their own; text as it is. */
export const isTextPart = ({ bytes }: StringPart): boolean => isText(bytes)
