import { isRpcError, McpError, type RpcError } from '../../errors.ts'
import { isEraEvidence } from '../../http-client/era-evidence.ts'
import { isHttpError } from '../../http-client/http-error.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ClientCapabilities, ServerCapabilities } from '../../model/capabilities.ts'
import type { Implementation } from '../../model/meta.ts'
import { isRevision, type Revision } from '../../model/revision.ts'
import type { Codec } from '../../wire/codec.ts'
import { codecFor, hasHandshake } from '../../wire/codecs.ts'
import {
  type Disagreed,
  noCommonRevision,
  type Opening,
  type OpeningPlan,
  offered,
  offeredVersions,
  quoteError,
} from '../connecting/opening.ts'
import type { ConversationConnection } from '../conversation.ts'

/** Begins a session. */
export async function initialize(connection: ConversationConnection, plan: OpeningPlan): Promise<Opening> {
  const { settings, signal, timeoutMs } = plan
  const { codec } = connection
  let result: JsonObject
  try {
    const wait = { ...(timeoutMs !== undefined && { timeoutMs }), ...(signal && { signal }) }
    result = await connection.ask('initialize', initializeParams(codec, plan), wait)
    codec.decodeResult('initialize', result)
  } catch (error) {
    if (isHttpError(error) && isEraEvidence(error)) return refused(() => error)
    if (!isRpcError(error)) throw error
    const offers = offeredVersions(error)
    return offers === undefined ? refused(() => refusedError(error)) : offered(offers, error)
  }
  return readInitialized(result, settings.revisions)
}

/** The client capabilities that a server of the revision reads in `initialize`: an older one knows fewer. */
export const declaredInSession = (codec: Codec, plan: OpeningPlan): ClientCapabilities =>
  codec.decodeParams('initialize', codec.encodeParams('initialize', initializeParams(codec, plan)))
    .capabilities as ClientCapabilities

const initializeParams = ({ revision }: Codec, { settings, capabilities }: OpeningPlan): JsonObject =>
  ({ protocolVersion: revision, capabilities, clientInfo: settings.info }) as unknown as JsonObject

function readInitialized(result: JsonObject, allowed: readonly Revision[]): Opening {
  const revision = result.protocolVersion
  if (!isRevision(revision) || !hasHandshake(revision) || !allowed.includes(revision)) {
    // The counter-offer is final: the rule is to disconnect, not to haggle.
    throw noCommonRevision([String(revision)], allowed)
  }
  const codec = codecFor(revision)
  // The meaning of the answer depends on the revision that it names.
  const { serverInfo, capabilities, instructions } = codec.decodeResult('initialize', result)
  const server = {
    info: serverInfo as Implementation,
    capabilities: capabilities as ServerCapabilities,
    instructions: instructions as string | undefined,
    revision,
  }
  return { kind: 'agreed', codec, server }
}

/** The server refused `initialize` and did not name other revisions. */
const refused = (error: () => McpError): Disagreed => ({
  kind: 'disagreed',
  next: (untried) => untried.find((revision) => !hasHandshake(revision)),
  error,
})

const refusedError = (cause: RpcError): McpError =>
  new McpError('negotiation', `The server refused initialize: ${quoteError(cause)}`, { cause })
