import { McpError } from '../../errors.ts'
import { describe } from '../../jsonrpc/classify.ts'

/** A key that seals state: 32 bytes or more, as bytes or as text. */
export type StateKey = string | Uint8Array

const minKeyBytes = 32

/** Sealed by servers without keys of their own: good for as long as the process lives. */
let processKey: Uint8Array | undefined

/** The key of servers without keys of their own. */
export function ownKey(): Uint8Array {
  processKey ??= crypto.getRandomValues(new Uint8Array(minKeyBytes))
  return processKey
}

/** Takes over the key of another process, so that either opens the seals of the other. */
export function adoptKey(key: Uint8Array): void {
  processKey = key
}

/** The keys as bytes; throws if they are none. */
export function checkKeys(keys: readonly StateKey[]): readonly Uint8Array[] {
  const what = 'createServer stateKeys'
  if (!Array.isArray(keys) || keys.length === 0) {
    throw new McpError('invalid_definition', `${what}: expected at least one key, got ${describe(keys)}`)
  }
  return keys.map((key: unknown, index) => {
    const bytes = typeof key === 'string' ? new TextEncoder().encode(key) : key
    if (bytes instanceof Uint8Array && bytes.length >= minKeyBytes) return bytes
    const found = bytes instanceof Uint8Array ? `${bytes.length}` : describe(key)
    throw new McpError('invalid_definition', `${what}[${index}]: expected ${minKeyBytes} bytes or more, got ${found}`)
  })
}
