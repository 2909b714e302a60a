import type { LoggingLevel } from '@tenon/sdk/client'
import type { RawSender } from '@tenon/sdk/relay'
import type { Caller } from '@tenon/sdk/server'

const senders = new Map<string, RawSender>()
/** Clients choose their descriptions, so the cache is bounded. */
const maxKept = 1_000
const maxKeyLength = 4_096

/** A client as it describes itself. The same description gives the same object, so that callers can cache by it. */
export function senderOf(
  { client, capabilities }: Pick<Caller, 'client' | 'capabilities'>,
  logLevel?: LoggingLevel,
): RawSender {
  const key = JSON.stringify([client, capabilities, logLevel])
  const known = senders.get(key)
  if (known !== undefined) return known
  const sender = { info: client, capabilities, logLevel }
  if (key.length > maxKeyLength) return sender
  if (senders.size >= maxKept) senders.clear()
  senders.set(key, sender)
  return sender
}
