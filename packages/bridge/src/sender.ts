import type { LoggingLevel } from '@tenon/sdk/client'
import type { RawSender } from '@tenon/sdk/relay'
import type { Caller } from '@tenon/sdk/server'

const made = new Map<string, RawSender>()
/** What clients say of themselves is theirs to choose: what is kept of it has to end somewhere. */
const maxKept = 1_000
const maxKeyLength = 4_096

/** A client as it describes itself. The same description is the same object, so that what is made of it can be kept. */
export function senderOf(
  { client, capabilities }: Pick<Caller, 'client' | 'capabilities'>,
  logLevel?: LoggingLevel,
): RawSender {
  const key = JSON.stringify([client, capabilities, logLevel])
  const known = made.get(key)
  if (known !== undefined) return known
  const sender = { info: client, capabilities, logLevel }
  if (key.length > maxKeyLength) return sender
  if (made.size >= maxKept) made.clear()
  made.set(key, sender)
  return sender
}
