import { ErrorCode, isMcpError, isRpcError, McpError, type RpcError } from '../errors.ts'
import { isEraEvidence } from '../http-client/era-evidence.ts'
import { isObject } from '../jsonrpc/classify.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { ClientCapabilities, ServerCapabilities } from '../model/capabilities.ts'
import type { Implementation } from '../model/meta.ts'
import { isRevision, type Revision } from '../model/revision.ts'
import type { Codec } from '../wire/codec.ts'
import { codecFor, isLegacy, newestLegacy } from '../wire/codecs.ts'
import { serverInfoOf } from '../wire/server-info.ts'
import type { Connection, Terms } from './connection.ts'
import type { Settings } from './options.ts'
import type { ServerDescription } from './types.ts'

/** How one attempt to agree on a revision ended. */
type Outcome =
  | { kind: 'agreed'; codec: Codec; server: ServerDescription }
  /** The server named the revisions that it speaks. */
  | { kind: 'offers'; offers: readonly string[]; cause: unknown }
  /** The server does not know `server/discover`, so it is one of those that want `initialize`. */
  | { kind: 'legacy'; cause: unknown }
  /** The server wants nothing of `initialize`, and does not say what it wants instead. */
  | { kind: 'refused'; cause: RpcError }

/** Where to begin: with the newest revision, or with what is known from an earlier connection. */
export interface NegotiationPlan {
  settings: Settings
  capabilities: ClientCapabilities
  first: Revision
  signal?: AbortSignal
}

/**
 * Agrees with the server on a revision, as newer clients do with servers of any age: `server/discover` first, and
 * `initialize` if that is not understood. Each revision is tried once, so a contradictory server cannot cause a loop.
 */
export async function negotiate(connection: Connection, plan: NegotiationPlan): Promise<void> {
  const untried = new Set(plan.settings.revisions)
  let revision = plan.first
  let repeated = false
  while (true) {
    untried.delete(revision)
    const codec = codecFor(revision)
    connection.codec = codec
    const outcome = codec.handshake ? await initialize(connection, plan) : await discover(connection, plan)
    if (outcome.kind === 'agreed') {
      const offered = termsOf(codec, plan)
      const agreed = outcome.codec === codec ? offered : termsOf(outcome.codec, plan)
      connection.agree(agreed, outcome.server, offered)
      if (outcome.codec.handshake) connection.notify('notifications/initialized')
      return
    }
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

/** What this client declared, as a server of that revision reads it: an older one knows of less. */
const termsOf = (codec: Codec, plan: NegotiationPlan): Terms => ({ codec, declared: declaredTo(codec, plan) })

function declaredTo(codec: Codec, { settings, capabilities }: NegotiationPlan): ClientCapabilities {
  if (!codec.handshake) return capabilities
  const params = { protocolVersion: codec.revision, capabilities, clientInfo: settings.info }
  return codec.decodeParams('initialize', codec.encodeParams('initialize', params)).capabilities as ClientCapabilities
}

function nextRevision(
  outcome: Exclude<Outcome, { kind: 'agreed' }>,
  untried: readonly Revision[],
): Revision | undefined {
  if (outcome.kind === 'legacy') return newestLegacy(untried)
  if (outcome.kind === 'refused') return untried.find((revision) => !isLegacy(revision))
  return untried.find((revision) => outcome.offers.includes(revision))
}

// The revisions without handshake

async function discover(connection: Connection, { settings, signal }: NegotiationPlan): Promise<Outcome> {
  const wait = { timeoutMs: settings.probeTimeoutMs, ...(signal && { signal }) }
  let result: JsonObject
  try {
    result = await connection.call('server/discover', {}, wait)
  } catch (error) {
    return discoverFailed(error)
  }
  const offers = result.supportedVersions as string[]
  const mutual = settings.revisions.find((revision) => !isLegacy(revision) && offers.includes(revision))
  if (mutual === undefined) return { kind: 'offers', offers, cause: undefined }
  return { kind: 'agreed', codec: codecFor(mutual), server: describeDiscovered(result, mutual) }
}

function discoverFailed(error: unknown): Outcome {
  if (isMcpError(error) && (error.code === 'closed' || error.code === 'cancelled' || !isEraEvidence(error))) throw error
  // A timeout, nonsense, or any error that only an older server can mean: no single code decides this.
  if (!isRpcError(error) || !isModernError(error)) return { kind: 'legacy', cause: error }
  const offers = offeredVersions(error)
  if (offers !== undefined) return { kind: 'offers', offers, cause: error }
  throw new McpError('negotiation', `The server refused server/discover: ${quote(error)}`, { cause: error })
}

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
  connection: Connection,
  { settings, capabilities, signal }: NegotiationPlan,
): Promise<Outcome> {
  const params = { protocolVersion: connection.codec.revision, capabilities, clientInfo: settings.info }
  let result: JsonObject
  try {
    result = await connection.ask('initialize', params, signal ? { signal } : {})
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

function failed(outcome: Exclude<Outcome, { kind: 'agreed' }>, allowed: readonly Revision[]): McpError {
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
