import { isMcpError, McpError } from '../errors.ts'
import type { ClientCapabilities } from '../model/capabilities.ts'
import type { Revision } from '../model/revision.ts'
import { codecFor, newestLegacy } from '../wire/codecs.ts'
import { Connection, type ConnectionOwner } from './connection.ts'
import { negotiate } from './negotiate.ts'
import type { Opener } from './target.ts'

export interface Establishing {
  opener: Opener
  owner: ConnectionOwner
  capabilities: ClientCapabilities
  /** The revision that an earlier connection to this target used. */
  known?: Revision
  signal?: AbortSignal
}

/** Opens a channel and agrees on a revision. */
export async function establish(plan: Establishing): Promise<Connection> {
  const { opener, known, signal } = plan
  const { settings } = plan.owner
  const first = known ?? settings.firstRevision
  const attempt = await tryOnce(plan, first)
  if (attempt instanceof Connection) return attempt
  // Some older servers end when the first message is not `initialize`: they get a second life without the probe.
  const legacy = newestLegacy(settings.revisions)
  const died = isMcpError(attempt.error) && attempt.error.code === 'closed' && !codecFor(first).handshake
  if (!died || !opener.reopenable || legacy === undefined || signal?.aborted) throw attempt.error
  const second = await tryOnce(plan, legacy)
  if (second instanceof Connection) return second
  throw second.error
}

async function tryOnce(plan: Establishing, first: Revision): Promise<Connection | { error: unknown }> {
  const { opener, owner, capabilities, signal } = plan
  const { settings } = owner
  const channel = await opener.open()
  const connection = new Connection(channel, owner, codecFor(first))
  try {
    connection.peer.open()
    await negotiate(connection, { settings, capabilities, first, ...(signal && { signal }) })
    if (connection.ended !== undefined) throw connection.ended
    return connection
  } catch (error) {
    await connection.peer.close()
    return { error: explain(error) }
  }
}

function explain(error: unknown): unknown {
  if (!isMcpError(error) || error.code !== 'timeout') return error
  return new McpError('timeout', `The server did not complete the handshake: ${error.message}`, { cause: error })
}
