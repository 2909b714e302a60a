import { ErrorCode, RpcError } from '../errors.ts'
import { heapBytesOf } from '../internal/heap-size.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { ClientCapabilities } from '../model/capabilities.ts'
import type { Implementation } from '../model/meta.ts'

/** Far more than any client says about itself, and little enough to be kept ten thousand times over. */
const maxIdentityBytes = 64 * 1024

/** The description that a client gives of itself, small enough to be kept. */
export interface Identity {
  readonly client: Implementation | undefined
  readonly capabilities: ClientCapabilities
  /** The heap that it takes. */
  readonly bytes: number
}

/** Bounds the description of a client. Icons that are too large are left out, as they are only shown; the rest is refused. */
export function boundedIdentity(
  client: Implementation | undefined,
  capabilities: ClientCapabilities,
  where: string,
): Identity {
  const bytes = heapBytesOf(client) + heapBytesOf(capabilities)
  if (bytes <= maxIdentityBytes) return { client, capabilities, bytes }
  if (client?.icons === undefined) throw tooMuch(where, bytes)
  const { icons: _, ...plain } = client
  return boundedIdentity(plain, capabilities, where)
}

/**
 * The params of `initialize` that are used, and nothing else of them. Nothing at all if they are too large: then the
 * connection refuses the handshake, and there is no session to be carried on.
 */
export function keptInitialize({ protocolVersion, clientInfo, capabilities }: JsonObject): JsonObject {
  try {
    const { client } = boundedIdentity(clientInfo as Implementation, capabilities as ClientCapabilities, 'initialize')
    const version = typeof protocolVersion === 'string' && protocolVersion.length <= maxVersionLength
    return { protocolVersion: version ? protocolVersion : 'unknown', clientInfo: client, capabilities }
  } catch {
    return {}
  }
}

/** A version is a date. A longer one is not spoken here either, and would be kept whole. */
const maxVersionLength = 32

const tooMuch = (where: string, bytes: number): RpcError =>
  new RpcError(
    ErrorCode.InvalidParams,
    `${where}: expected clientInfo and capabilities of at most ${maxIdentityBytes} bytes in memory, got ${bytes}`,
    { limit: maxIdentityBytes, size: bytes },
  )
