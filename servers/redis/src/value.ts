import { isUtf8 } from 'node:buffer'
import { z } from 'zod'

/** A value as answers show it. */
export interface ShownValue {
  readonly value: string
  readonly encoding: 'text' | 'base64'
  /** Bytes of the whole value, if only its beginning is shown. */
  readonly cutFrom?: number | undefined
}

export const shownValue: z.ZodObject<{
  value: z.ZodString
  encoding: z.ZodEnum<{ text: 'text'; base64: 'base64' }>
  cutFrom: z.ZodOptional<z.ZodInt>
}> = z.object({
  value: z.string(),
  encoding: z.enum(['text', 'base64']).describe('base64 if the bytes are not text'),
  cutFrom: z.int().optional().describe('Bytes of the whole value, if only its beginning is shown'),
})

/** Valid UTF-8 without the byte 0 counts as text. */
export const isText = (bytes: Buffer): boolean => isUtf8(bytes) && !bytes.includes(0)

/** Shows a value, or its beginning if it is too long. */
export function show(bytes: Buffer, maxBytes: number): ShownValue {
  if (bytes.length <= maxBytes) return encode(bytes)
  const start = bytes.subarray(0, maxBytes)
  return { ...encode(wholeCharacters(start)), cutFrom: bytes.length }
}

const encode = (bytes: Buffer): ShownValue =>
  isText(bytes)
    ? { value: bytes.toString('utf8'), encoding: 'text' }
    : { value: bytes.toString('base64'), encoding: 'base64' }

/** Leaves out a character at the end that is not complete. Bytes that are no text stay as they are. */
export function wholeCharacters(bytes: Buffer): Buffer {
  for (let cut = 0; cut <= 3 && cut < bytes.length; cut++) {
    const part = bytes.subarray(0, bytes.length - cut)
    if (isUtf8(part)) return part
  }
  return bytes
}

/** One line for a reader. A value with line breaks is quoted, so that it cannot pass for several. */
export function lineOf({ value, encoding, cutFrom }: ShownValue): string {
  const text = encoding === 'base64' ? `(base64) ${value}` : quoteLines(value)
  return cutFrom === undefined ? text : `${text}… (${cutFrom} bytes in all)`
}

/** A text on one line: quoted if it has line breaks or other control characters. */
export const quoteLines = (text: string): string => (/[\p{Cc}\u2028\u2029]/u.test(text) ? JSON.stringify(text) : text)
