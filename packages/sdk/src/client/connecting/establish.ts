import { isMcpError, McpError } from '../../errors.ts'
import { unlessAborted } from '../../internal/abort.ts'
import type { Channel } from '../../jsonrpc/channel.ts'
import type { Revision } from '../../model/revision.ts'
import { codecFor } from '../../wire/codecs.ts'
import { clientConversationFor } from '../choose-conversation.ts'
import { ClientConnection, type ConnectionOwner } from './connection.ts'
import { negotiate } from './negotiate.ts'
import { preferredRevision } from './preference.ts'
import type { Opener } from './target.ts'

interface ConnectionPlan {
  opener: Opener
  owner: ConnectionOwner
  /** The revision that an earlier connection to this target used. */
  known: Revision | undefined
  signal: AbortSignal | undefined
}

/** Opens a channel and agrees on a revision. */
export async function establish(plan: ConnectionPlan): Promise<ClientConnection> {
  const { opener, known } = plan
  const { settings, description } = plan.owner
  const first =
    known ??
    opener.memory?.first(settings.revisions) ??
    preferredRevision(settings, description, opener) ??
    settings.revisions[0]!
  // Over HTTP a running server answers: slowness and broken connections are no sign of its age.
  const isProbe = known === undefined && opener.memory === undefined
  const attempt = await tryOnce(plan, { first, patient: !isProbe })
  if (attempt instanceof ClientConnection) return attempt
  const fallback = isProbe ? clientConversationFor(first).fallback(settings.revisions) : undefined
  const again = opener.reopenable && !plan.signal?.aborted ? secondAttempt(attempt, fallback) : undefined
  const second = again === undefined ? attempt : await tryOnce(plan, again)
  if (second instanceof ClientConnection) return second
  throw second.error
}

interface Attempt {
  first: Revision
  patient: boolean
}

/** A failed attempt, or a server whose answers came in an order that leaves the connection in doubt. */
interface Failed {
  error: unknown
  speaks?: Revision
}

/** A server that ended at the first opening gets a second life without it. */
function secondAttempt({ error, speaks }: Failed, fallback: Revision | undefined): Attempt | undefined {
  if (speaks !== undefined) return { first: speaks, patient: true }
  const died = isMcpError(error) && error.code === 'closed'
  return died && fallback !== undefined ? { first: fallback, patient: true } : undefined
}

async function tryOnce(plan: ConnectionPlan, { first, patient }: Attempt): Promise<ClientConnection | Failed> {
  const { opener, owner, signal } = plan
  const { settings, description } = owner
  const channel = await openChannel(opener, signal)
  const connection = new ClientConnection(channel, owner, codecFor(first))
  const { capabilities } = description
  const { reopenable } = opener
  try {
    connection.peer.open()
    const undecided = await negotiate(connection, {
      settings,
      capabilities,
      first,
      patient,
      reopenable,
      ...(signal && { signal }),
    })
    if (undecided !== undefined) return await leave(connection, undecided.revision)
    if (connection.ended !== undefined) throw connection.ended
    const { conversation } = connection
    if (conversation !== clientConversationFor(first)) opener.memory?.learn(conversation)
    return connection
  } catch (error) {
    await connection.peer.close()
    return { error: explain(error, connection.stray) }
  }
}

async function leave(connection: ClientConnection, speaks: Revision): Promise<Failed> {
  await connection.peer.close()
  return { error: new McpError('closed', 'The server was slow to answer server/discover'), speaks }
}

async function openChannel(opener: Opener, signal: AbortSignal | undefined): Promise<Channel> {
  const opening = Promise.resolve(opener.open())
  try {
    return await unlessAborted('connect', opening, signal)
  } catch (error) {
    // A channel that is opened later is not used.
    if (signal?.aborted) opening.then((channel) => channel.close()).catch(() => {})
    throw error
  }
}

/** Adds the first output that was not understood: a program that is no server mostly prints something else. */
function explain(error: unknown, stray: Error | undefined): unknown {
  if (!isMcpError(error) || (error.code !== 'timeout' && error.code !== 'closed')) return error
  const what = error.code === 'timeout' ? `The server did not complete the handshake: ${error.message}` : error.message
  const hint = stray === undefined ? '' : `; what it sent was not understood: ${stray.message}`
  return what + hint === error.message ? error : new McpError(error.code, what + hint, { cause: error })
}
