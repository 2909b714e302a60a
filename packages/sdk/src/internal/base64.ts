const chunkSize = 0x8000

/** Only Node and its like have this: ten times as fast for small values. */
const { Buffer } = globalThis as {
  Buffer?: {
    from(bytes: ArrayBufferLike, start: number, length: number): { toString(encoding: 'base64url' | 'utf8'): string }
    from(text: string, encoding: 'base64url' | 'utf8'): Uint8Array<ArrayBuffer>
    allocUnsafe(length: number): Uint8Array<ArrayBuffer>
  }
}

/** The bytes of a text. */
export const textToBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Buffer === undefined ? new TextEncoder().encode(text) : Buffer.from(text, 'utf8')

/** The text of trusted bytes. */
export const bytesToText = (bytes: Uint8Array): string =>
  Buffer === undefined
    ? new TextDecoder().decode(bytes)
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')

/** Bytes that are all written before they are read: Node takes small ones from a pool, and does not clear them. */
export const bytesToFill = (length: number): Uint8Array<ArrayBuffer> =>
  Buffer === undefined ? new Uint8Array(length) : Buffer.allocUnsafe(length)

/** Base64 for URLs, without padding. */
export function bytesToBase64Url(bytes: Uint8Array): string {
  if (Buffer !== undefined) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64url')
  return bytesToBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The bytes of base64 for URLs; undefined if it is invalid. */
export function base64UrlToBytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]+$/.test(text) || text.length % 4 === 1) return undefined
  if (Buffer !== undefined) return Buffer.from(text, 'base64url')
  return base64ToBytes(text.replaceAll('-', '+').replaceAll('_', '/'))
}

/** Base64 of bytes, on any runtime. */
export function bytesToBase64(bytes: Uint8Array): string {
  const native = bytes as { toBase64?: () => string }
  if (native.toBase64 !== undefined) return native.toBase64()
  let binary = ''
  // In chunks, because every argument of `fromCharCode` takes room on the stack.
  for (let start = 0; start < bytes.length; start += chunkSize) {
    binary += String.fromCharCode(...bytes.subarray(start, start + chunkSize))
  }
  return btoa(binary)
}

/** The bytes of base64; throws a `DOMException` on anything else. */
export function base64ToBytes(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64)
  const bytes = new Uint8Array(binary.length)
  // A loop, because `Uint8Array.from` iterates over characters and not over units, which takes ten times as long.
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}
