import { ErrorCode, RpcError } from '../errors.ts'
import { base64ToBytes, bytesToBase64 } from '../internal/base64.ts'

const prefix = '=?base64?'
const suffix = '?='

// Visible ASCII and spaces; a tab is allowed inside, but is not sent as it is, because proxies change it to a space.
const plain = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/
const received = /^[\t\x20-\x7e]*$/

const isEncoded = (text: string): boolean =>
  text.length >= prefix.length + suffix.length && text.startsWith(prefix) && text.endsWith(suffix)

/** A value for a header: as it is if that is safe, else in Base64 between marks. */
export function encodeHeaderValue(value: string | number | boolean): string {
  const text = String(value)
  if (plain.test(text) && !isEncoded(text)) return text
  return prefix + bytesToBase64(new TextEncoder().encode(text)) + suffix
}

/** The value of a header. Throws an `RpcError` `HeaderMismatch` if it is malformed. */
export function decodeHeaderValue(header: string): string {
  if (plain.test(header) && !isEncoded(header)) return header
  if (!received.test(header)) throw malformed('it contains characters that a header cannot have')
  const text = header.replace(/^[\t ]+|[\t ]+$/g, '')
  if (!isEncoded(text)) return text
  try {
    const bytes = base64ToBytes(strictBase64(text.slice(prefix.length, -suffix.length)))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw malformed('it is marked as Base64 of UTF-8 and is not', cause)
  }
}

// `atob` forgives white space, missing padding and bits that belong to no byte. Two readers could decode these
// differently, so they are refused here.
function strictBase64(text: string): string {
  if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/.test(text)) return text
  throw new SyntaxError('not Base64')
}

const malformed = (why: string, cause?: unknown): RpcError =>
  new RpcError(ErrorCode.HeaderMismatch, `Header mismatch: the value is malformed: ${why}`, undefined, { cause })
