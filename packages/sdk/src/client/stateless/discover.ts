import { ErrorCode, isMcpError, isRpcError, McpError, type RpcError } from '../../errors.ts'
import { isEraEvidence } from '../../http-client/era-evidence.ts'
import { withinMs } from '../../internal/timers.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ServerCapabilities } from '../../model/capabilities.ts'
import type { Revision } from '../../model/revision.ts'
import { codecFor, hasHandshake, newestWithHandshake } from '../../wire/codecs.ts'
import { serverInfoOf } from '../../wire/server-info.ts'
import {
  type Disagreed,
  type Opening,
  type OpeningPlan,
  offered,
  offeredVersions,
  quoteError,
  type Unanswered,
} from '../connecting/opening.ts'
import type { ConversationConnection } from '../conversation.ts'
import type { ClientSettings } from '../options.ts'
import type { ServerDescription } from '../types.ts'

/** Asks the server about itself. */
export async function discover(
  connection: ConversationConnection,
  { settings, signal }: OpeningPlan,
): Promise<Opening> {
  // The answer may come when another revision is being tried.
  const { codec } = connection
  let result: JsonObject
  try {
    result = codec.decodeResult('server/discover', await connection.ask('server/discover', {}, signal && { signal }))
  } catch (error) {
    return discoverFailed(error)
  }
  const offers = result.supportedVersions as string[]
  const mutual = settings.revisions.find((revision) => !hasHandshake(revision) && offers.includes(revision))
  if (mutual === undefined) return offered(offers, undefined)
  return { kind: 'agreed', codec: codecFor(mutual), server: describeDiscovered(result, mutual) }
}

/** The same, without waiting for a server that may be an older one: some do not answer methods they do not know. */
export async function probe(
  connection: ConversationConnection,
  plan: OpeningPlan,
  untried: readonly Revision[],
): Promise<Opening | Unanswered> {
  const answer = discover(connection, plan)
  const alternative = newestWithHandshake(untried)
  if (alternative === undefined || (await answersInTime(connection, answer, plan.settings))) return answer
  answer.catch(() => {})
  return { kind: 'unanswered', answer, alternative }
}

/** Whether the server answers soon after its first sign of life, or, where none is seen, a while after its start. */
async function answersInTime(
  { firstSign }: ConversationConnection,
  answer: Promise<Opening>,
  { probeTimeoutMs, peer }: ClientSettings,
): Promise<boolean> {
  const ignore = (): void => {}
  const answered = answer.then(ignore, ignore)
  const quietMs = Math.min(probeTimeoutMs, peer.timeoutMs / 4)
  if (firstSign !== undefined) await withinMs(2 * quietMs, Promise.race([answered, firstSign]))
  return withinMs(quietMs, answered)
}

function discoverFailed(error: unknown): Opening {
  if (isMcpError(error) && (noAnswer.has(error.code) || !isEraEvidence(error))) throw error
  // Nonsense, or any error that only an older server can mean: no single code decides this.
  if (!isRpcError(error) || !knowsDiscover(error)) return unknownMethod(error)
  const offers = offeredVersions(error)
  if (offers !== undefined) return offered(offers, error)
  throw new McpError('negotiation', `The server refused server/discover: ${quoteError(error)}`, { cause: error })
}

const noAnswer: ReadonlySet<string> = new Set(['closed', 'cancelled', 'timeout'])

const statelessCodes: ReadonlySet<number> = new Set([
  ErrorCode.UnsupportedProtocolVersion,
  ErrorCode.MissingRequiredClientCapability,
  ErrorCode.HeaderMismatch,
])

const knowsDiscover = ({ code }: RpcError): boolean => statelessCodes.has(code)

/** The server does not know `server/discover`, so it expects `initialize`. */
const unknownMethod = (cause: unknown): Disagreed => ({
  kind: 'disagreed',
  next: newestWithHandshake,
  error: (allowed) =>
    new McpError(
      'negotiation',
      `The server does not know server/discover (${cause instanceof Error ? cause.message : String(cause)}), ` +
        `so it speaks a revision before 2026-07-28; ` +
        `this client allows only ${allowed.join(', ')}. Add an older one to \`revisions\` to connect.`,
      { cause },
    ),
})

const describeDiscovered = (result: JsonObject, revision: Revision): ServerDescription => ({
  info: serverInfoOf(result),
  capabilities: result.capabilities as ServerCapabilities,
  instructions: result.instructions as string | undefined,
  revision,
})
