import { ErrorCode, isMcpError, isRpcError, McpError, type RpcError } from '../../errors.ts'
import { isEraEvidence } from '../../http-client/era-evidence.ts'
import { isObject } from '../../jsonrpc/classify.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ClientCapabilities, ServerCapabilities } from '../../model/capabilities.ts'
import type { Implementation } from '../../model/meta.ts'
import { isRevision, type Revision } from '../../model/revision.ts'
import { withinMs } from '../../transport/wait.ts'
import type { Codec } from '../../wire/codec.ts'
import { codecFor, isLegacy, newestLegacy } from '../../wire/codecs.ts'
import { serverInfoOf } from '../../wire/server-info.ts'
import type { ClientSettings } from '../options.ts'
import type { ServerDescription } from '../types.ts'
import type { ClientConnection, Terms } from './connection.ts'

/** How one attempt to agree on a revision ended. */
type Outcome = Agreed | Disagreed

interface Agreed {
  kind: 'agreed'
  codec: Codec
  server: ServerDescription
}

type Disagreed =
  /** The server named the revisions that it speaks. */
  | { kind: 'offers'; offers: readonly string[]; cause: unknown }
  /** The server does not know `server/discover`, so it is one of those that want `initialize`. */
  | { kind: 'legacy'; cause: unknown }
  /** The server wants nothing of `initialize`, and does not say what it wants instead. */
  | { kind: 'refused'; cause: RpcError }

/** The server has not answered `server/discover` yet, and may still do so. */
interface Unanswered {
  kind: 'unanswered'
  answer: Promise<Outcome>
}

/** Where to begin: with the newest revision, or with what is known from an earlier connection. */
export interface NegotiationPlan {
  settings: ClientSettings
  capabilities: ClientCapabilities
  first: Revision
  /** Whether only an answer to `server/discover` decides, however long it takes. */
  patient: boolean
  /** Whether the channel can be opened again. */
  reopenable: boolean
  signal?: AbortSignal
}

/** A server without handshake was sent `initialize` before it answered `server/discover`, and agreed to both. */
export interface TwoAnswers {
  revision: Revision
}

/**
 * Agrees with the server on a revision, as newer clients do with servers of any age: `server/discover` first, and
 * `initialize` if that is not understood. Each answer is believed once, so a contradictory server cannot cause a loop.
 * Silence is no answer: a server that is slow to start is asked both ways, and its answer counts whenever it comes.
 */
export async function negotiate(connection: ClientConnection, plan: NegotiationPlan): Promise<TwoAnswers | undefined> {
  const began = performance.now()
  const untried = new Set(plan.settings.revisions)
  let revision = plan.first
  let repeated = false
  while (true) {
    untried.delete(revision)
    connection.codec = codecFor(revision)
    const outcome = await attempt(connection, plan)
    if (outcome.kind === 'unanswered') {
      const legacy = newestLegacy([...untried])!
      const decided = await askBothWays(connection, plan, { late: outcome.answer, legacy, began })
      if ('revision' in decided) return decided
      if (decided.kind === 'agreed') return agree(connection, decided, plan)
      // The server is there by now: whatever it makes of `initialize`, it can be asked again.
      untried.delete(legacy)
      const next = nextRevision(decided, [revision, ...untried])
      if (next === undefined) throw failed(decided, plan.settings.revisions)
      revision = next
      plan = { ...plan, patient: true }
      continue
    }
    if (outcome.kind === 'agreed') return agree(connection, outcome, plan)
    // A server that refuses a revision and offers it in the same breath is taken by its word, once.
    if (!repeated && outcome.kind === 'offers' && outcome.offers.includes(revision)) {
      repeated = true
      continue
    }
    const next = nextRevision(outcome, [...untried])
    if (next === undefined) throw failed(outcome, plan.settings.revisions)
    revision = next
  }
}

const attempt = (connection: ClientConnection, plan: NegotiationPlan): Promise<Outcome | Unanswered> =>
  connection.codec.handshake ? initialize(connection, plan) : discover(connection, plan)

function agree(connection: ClientConnection, { codec, server }: Agreed, plan: NegotiationPlan): undefined {
  const offered = termsOf(connection.codec, plan)
  connection.agree(codec === connection.codec ? offered : termsOf(codec, plan), server, offered)
  if (codec.handshake) connection.notify('notifications/initialized')
}

interface BothWays {
  /** The answer to `server/discover`, when it comes. */
  late: Promise<Outcome>
  legacy: Revision
  /** When the negotiation began. */
  began: number
}

/** Sends `initialize` to a server that has not answered `server/discover`, and goes by whichever answer agrees first. */
async function askBothWays(
  connection: ClientConnection,
  plan: NegotiationPlan,
  { late, legacy, began }: BothWays,
): Promise<Outcome | TwoAnswers> {
  const probed = connection.codec
  connection.codec = codecFor(legacy)
  const { timeoutMs } = plan.settings.peer
  const asked = initialize(connection, plan, Math.max(1, Math.round(timeoutMs - (performance.now() - began))))
  const discovered = new Promise<Agreed>((resolve) => {
    late.then((outcome) => outcome.kind === 'agreed' && resolve(outcome), ignore)
  })
  await Promise.race([asked.then(ignore, ignore), discovered])
  // Both answers may have come at once.
  const modern = await valueWithin(0, discovered)
  if (modern === undefined) return asked
  // The server may have begun a session because of `initialize`, in which nothing else might be answered.
  const session = await valueWithin(plan.settings.probeTimeoutMs, asked)
  if (session?.kind === 'agreed') return plan.reopenable ? { revision: modern.codec.revision } : session
  connection.codec = probed
  return modern
}

/** The value of a promise, if it comes within the limit. */
async function valueWithin<Value>(limitMs: number, promise: Promise<Value>): Promise<Value | undefined> {
  const value = promise.catch(() => undefined)
  return (await withinMs(limitMs, value)) ? value : undefined
}

const ignore = (): void => {}

/** What this client declared, as a server of that revision reads it: an older one knows of less. */
const termsOf = (codec: Codec, plan: NegotiationPlan): Terms => ({ codec, declared: declaredTo(codec, plan) })

function declaredTo(codec: Codec, { settings, capabilities }: NegotiationPlan): ClientCapabilities {
  if (!codec.handshake) return capabilities
  const params = { protocolVersion: codec.revision, capabilities, clientInfo: settings.info }
  return codec.decodeParams('initialize', codec.encodeParams('initialize', params)).capabilities as ClientCapabilities
}

function nextRevision(outcome: Disagreed, untried: readonly Revision[]): Revision | undefined {
  if (outcome.kind === 'legacy') return newestLegacy(untried)
  if (outcome.kind === 'refused') return untried.find((revision) => !isLegacy(revision))
  return untried.find((revision) => outcome.offers.includes(revision))
}

// The revisions without handshake

async function discover(connection: ClientConnection, plan: NegotiationPlan): Promise<Outcome | Unanswered> {
  const answer = askToDiscover(connection, plan)
  const fallsBack = !plan.patient && newestLegacy(plan.settings.revisions) !== undefined
  if (!fallsBack || (await answersInTime(connection, answer, plan.settings))) return answer
  answer.catch(() => {})
  return { kind: 'unanswered', answer }
}

async function askToDiscover(connection: ClientConnection, { settings, signal }: NegotiationPlan): Promise<Outcome> {
  // The answer may come when another revision is being tried.
  const { codec } = connection
  let result: JsonObject
  try {
    result = codec.decodeResult('server/discover', await connection.ask('server/discover', {}, signal && { signal }))
  } catch (error) {
    return discoverFailed(error)
  }
  const offers = result.supportedVersions as string[]
  const mutual = settings.revisions.find((revision) => !isLegacy(revision) && offers.includes(revision))
  if (mutual === undefined) return { kind: 'offers', offers, cause: undefined }
  return { kind: 'agreed', codec: codecFor(mutual), server: describeDiscovered(result, mutual) }
}

/** Whether the server answers soon after it has shown life, or, where nothing is seen of it, a while after its start. */
async function answersInTime(
  { firstSign }: ClientConnection,
  answer: Promise<Outcome>,
  { probeTimeoutMs, peer }: ClientSettings,
): Promise<boolean> {
  const answered = answer.then(ignore, ignore)
  const quietMs = Math.min(probeTimeoutMs, peer.timeoutMs / 4)
  if (firstSign !== undefined) await withinMs(2 * quietMs, Promise.race([answered, firstSign]))
  return withinMs(quietMs, answered)
}

function discoverFailed(error: unknown): Outcome {
  if (isMcpError(error) && (noAnswer.has(error.code) || !isEraEvidence(error))) throw error
  // Nonsense, or any error that only an older server can mean: no single code decides this.
  if (!isRpcError(error) || !isModernError(error)) return { kind: 'legacy', cause: error }
  const offers = offeredVersions(error)
  if (offers !== undefined) return { kind: 'offers', offers, cause: error }
  throw new McpError('negotiation', `The server refused server/discover: ${quote(error)}`, { cause: error })
}

const noAnswer: ReadonlySet<string> = new Set(['closed', 'cancelled', 'timeout'])

const modernCodes: ReadonlySet<number> = new Set([
  ErrorCode.UnsupportedProtocolVersion,
  ErrorCode.MissingRequiredClientCapability,
  ErrorCode.HeaderMismatch,
])

const isModernError = (error: RpcError): boolean => modernCodes.has(error.code)

const describeDiscovered = (result: JsonObject, revision: Revision): ServerDescription => ({
  info: serverInfoOf(result),
  capabilities: result.capabilities as ServerCapabilities,
  instructions: result.instructions as string | undefined,
  revision,
})

// The revisions with handshake

async function initialize(
  connection: ClientConnection,
  { settings, capabilities, signal }: NegotiationPlan,
  timeoutMs?: number,
): Promise<Outcome> {
  const params = { protocolVersion: connection.codec.revision, capabilities, clientInfo: settings.info }
  let result: JsonObject
  try {
    const wait = { ...(timeoutMs !== undefined && { timeoutMs }), ...(signal && { signal }) }
    result = await connection.ask('initialize', params, wait)
    connection.codec.decodeResult('initialize', result)
  } catch (error) {
    if (!isRpcError(error)) throw error
    const offers = offeredVersions(error)
    if (offers !== undefined) return { kind: 'offers', offers, cause: error }
    return { kind: 'refused', cause: error }
  }
  return readInitialized(result, settings.revisions)
}

function readInitialized(result: JsonObject, allowed: readonly Revision[]): Outcome {
  const revision = result.protocolVersion
  if (!isRevision(revision) || !isLegacy(revision) || !allowed.includes(revision)) {
    // The counter-offer is final: the rule is to disconnect, not to haggle.
    throw noCommon([String(revision)], allowed)
  }
  const codec = codecFor(revision)
  // What the answer means depends on the revision that it names.
  const { serverInfo, capabilities, instructions } = codec.decodeResult('initialize', result)
  const server: ServerDescription = {
    info: serverInfo as Implementation,
    capabilities: capabilities as ServerCapabilities,
    instructions: instructions as string | undefined,
    revision,
  }
  return { kind: 'agreed', codec, server }
}

// Failures

/** The versions that an error lists, in the form that every revision uses for it. */
function offeredVersions({ data }: RpcError): readonly string[] | undefined {
  if (!isObject(data) || !Array.isArray(data.supported)) return undefined
  return data.supported.filter((version): version is string => typeof version === 'string')
}

function failed(outcome: Disagreed, allowed: readonly Revision[]): McpError {
  if (outcome.kind === 'offers') return noCommon(outcome.offers, allowed, outcome.cause)
  const { cause } = outcome
  if (outcome.kind === 'refused') {
    return new McpError('negotiation', `The server refused initialize: ${quote(outcome.cause)}`, { cause })
  }
  const answer = cause instanceof Error ? cause.message : String(cause)
  return new McpError(
    'negotiation',
    `The server does not know server/discover (${answer}), so it speaks a revision before 2026-07-28; ` +
      `this client allows only ${allowed.join(', ')}. Add an older one to \`revisions\` to connect.`,
    { cause },
  )
}

const noCommon = (theirs: readonly string[], ours: readonly Revision[], cause?: unknown): McpError =>
  new McpError(
    'negotiation',
    `No common protocol revision: the server speaks ${list(theirs)}, this client allows ${list(ours)}`,
    { cause },
  )

const list = (versions: readonly string[]): string => (versions.length === 0 ? 'none' : versions.join(', '))

const quote = (error: RpcError): string => `${error.message} (${error.code})`
