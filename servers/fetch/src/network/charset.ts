const prescanBytes = 4_096

/**
 * Decodes text as browsers do: a byte order mark decides, then the header, then a declaration in the first bytes. Without
 * any of them it is UTF-8 if it is valid UTF-8, else windows-1252.
 */
export function decodeText(bytes: Uint8Array, contentType: string): { text: string; charset: string } {
  const decoder = markedDecoder(bytes) ?? decoderFor(charsetOf(contentType)) ?? decoderFor(declaredCharset(bytes))
  if (decoder !== undefined) return { text: decoder.decode(bytes), charset: decoder.encoding }
  return isUtf8(bytes)
    ? { text: new TextDecoder().decode(bytes), charset: 'utf-8' }
    : { text: new TextDecoder('windows-1252').decode(bytes), charset: 'windows-1252' }
}

function markedDecoder([a, b, c]: Uint8Array): TextDecoder | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return new TextDecoder()
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be')
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le')
  return undefined
}

export const charsetOf = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*"?([^\s";,]{1,40})/i.exec(contentType)?.[1]

/** The charset of `<meta charset>`, `<meta http-equiv>` or `<?xml encoding?>`. A declaration is ASCII, so it is not UTF-16. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, prescanBytes)).toString('latin1')
  const [, declared] =
    /<meta\s[^>]{0,300}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(head) ??
    /^\s*<\?xml\s[^>]{0,100}?encoding\s*=\s*["']([\w.:-]{1,40})/i.exec(head) ??
    []
  return declared !== undefined && /^utf-?16/i.test(declared) ? 'utf-8' : declared
}

/** Labels that no decoder knows count as none. */
function decoderFor(label: string | undefined): TextDecoder | undefined {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}

/** A body that was cut off may end inside of a character, which is no fault of its encoding. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
