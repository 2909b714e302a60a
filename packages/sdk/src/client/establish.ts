import { isMcpError, McpError } from '../errors.ts'
import type { Revision } from '../model/revision.ts'
import type { Channel } from '../transport/channel.ts'
import { codecFor, newestLegacy } from '../wire/codecs.ts'
import { Connection, type ConnectionOwner } from './connection.ts'
import { negotiate } from './negotiate.ts'
import type { Opener } from './target.ts'
import { unlessAborted } from './unless-aborted.ts'

export interface Establishing {
  opener: Opener
  owner: ConnectionOwner
  /** The revision that an earlier connection to this target used. */
  known: Revision | undefined
  signal: AbortSignal | undefined
}

/** Opens a channel and agrees on a revision. */
export async function establish(plan: Establishing): Promise<Connection> {
  const { opener, known, signal } = plan
  const { settings } = plan.owner
  const legacy = newestLegacy(settings.revisions)
  const first = known ?? (opener.verdict?.handshake() ? legacy : undefined) ?? settings.revisions[0]!
  const attempt = await tryOnce(plan, first)
  if (attempt instanceof Connection) return attempt
  // Some older servers end when the first message is not `initialize`: they get a second life without the probe.
  const died = isMcpError(attempt.error) && attempt.error.code === 'closed' && !codecFor(first).handshake
  if (!died || !opener.reopenable || legacy === undefined || signal?.aborted) throw attempt.error
  const second = await tryOnce(plan, legacy)
  if (second instanceof Connection) return second
  throw second.error
}

async function tryOnce(plan: Establishing, first: Revision): Promise<Connection | { error: unknown }> {
  const { opener, owner, signal } = plan
  const { settings, introduction } = owner
  const channel = await openChannel(opener, signal)
  const connection = new Connection(channel, owner, codecFor(first))
  try {
    connection.peer.open()
    await negotiate(connection, { settings, capabilities: introduction.capabilities, first, ...(signal && { signal }) })
    if (connection.ended !== undefined) throw connection.ended
    const { handshake } = connection.codec
    // A server that was only asked for a handshake may know better.
    if (handshake !== codecFor(first).handshake) opener.verdict?.learn(handshake)
    return connection
  } catch (error) {
    await connection.peer.close()
    return { error: explain(error, connection.stray) }
  }
}

async function openChannel(opener: Opener, signal: AbortSignal | undefined): Promise<Channel> {
  const opening = Promise.resolve(opener.open())
  try {
    return await unlessAborted('connect', opening, signal)
  } catch (error) {
    // Nobody will use a channel that still comes.
    if (signal?.aborted) opening.then((channel) => channel.close()).catch(() => {})
    throw error
  }
}

/** Adds what people need to find the cause: a program that is no server mostly prints something else. */
function explain(error: unknown, stray: Error | undefined): unknown {
  if (!isMcpError(error) || (error.code !== 'timeout' && error.code !== 'closed')) return error
  const what = error.code === 'timeout' ? `The server did not complete the handshake: ${error.message}` : error.message
  const hint = stray === undefined ? '' : `; what it sent was not understood: ${stray.message}`
  return what + hint === error.message ? error : new McpError(error.code, what + hint, { cause: error })
}
