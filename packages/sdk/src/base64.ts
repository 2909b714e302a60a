const chunkSize = 0x8000

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

/** Bytes of base64; throws a `DOMException` on anything else. */
export function base64ToBytes(base64: string): Uint8Array {
  const binary = atob(base64)
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
