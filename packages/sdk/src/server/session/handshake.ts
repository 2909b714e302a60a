import { ErrorCode, RpcError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { IncomingRequest } from '../../jsonrpc/incoming.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ServerCapabilities } from '../../model/capabilities.ts'
import type { LoggingLevel } from '../../model/logging.ts'
import type { Implementation } from '../../model/meta.ts'
import type { Codec } from '../../wire/codec.ts'
import { codecFor } from '../../wire/codecs.ts'
import { withElicitationMode } from '../../wire/readers/common.ts'
import { isIdentified } from '../access/caller-owner.ts'
import type { Backend, SessionOutlet } from '../backend.ts'
import type { ConnectionInfo } from '../caller.ts'
import { CallerState } from '../caller-state.ts'
import { boundedIdentity, type Identity } from '../client-identity.ts'
import type { Definition } from '../definition/definition.ts'
import { handshakeRefused } from '../stateless/request-meta.ts'
import { ClientSession, type SessionConnection } from './client-session.ts'
import { serverSessionConversation } from './session-conversation.ts'

/** A client that did not set a level gets the messages that an operator would want. */
export const defaultLogLevel: LoggingLevel = 'info'
/** The heap that a session takes besides the description of its client. */
export const sessionBytes = 1024

/** The connection that a session is opened on. */
export interface SessionHost extends SessionConnection, SessionOutlet {
  readonly info: ConnectionInfo
  session: ClientSession | undefined
}

/** Answers `initialize`: opens the session of a connection. */
export function openConnectionSession(
  host: SessionHost,
  { params: given, sink }: IncomingRequest,
): MaybePromise<JsonObject> {
  const { definition, info } = host
  if (host.session !== undefined) throw new RpcError(ErrorCode.InvalidRequest, 'This connection is initialized already')
  const { codec, client, capabilities, bytes } = readInitialize(definition, given)
  const kept = definition.budget.need('sessions', sessionBytes + bytes)
  const logLevel = definition.logs ? defaultLogLevel : undefined
  const who = { client, capabilities, logLevel }
  const caller = new CallerState(codec, serverSessionConversation, who, info, sink.auth ?? info.auth)
  const session = new ClientSession(host, caller, kept)
  host.session = session
  const { backend } = definition
  if (definition.options.backend === undefined) definition.onChange(session)
  if (backend !== undefined) return introduce(host, session, backend)
  return initializeResult(definition, codec, definition.capabilities({ known: isIdentified(caller) }))
}

/** Reads the params of `initialize`: the revision to speak, and the description of the client. */
export function readInitialize(definition: Definition, given: JsonObject | undefined): Identity & { codec: Codec } {
  const newest = definition.sessionRevisions.at(-1)
  if (newest === undefined) throw handshakeRefused(definition, given?.protocolVersion)
  // An offer that this server does not speak is answered with one that it does, not with an error.
  const offered = definition.sessionRevisions.find((revision) => revision === given?.protocolVersion)
  const codec = codecFor(offered ?? newest)
  const params = codec.decodeParams('initialize', given)
  const identity = boundedIdentity(
    params.clientInfo as Implementation,
    // A proxy passes on everything that the client declared, known to the revision or not.
    withElicitationMode((definition.backend === undefined ? params : given!).capabilities as JsonObject),
    'initialize params',
  )
  return { codec, ...identity }
}

/** The result of `initialize`. */
export const initializeResult = (definition: Definition, codec: Codec, capabilities: ServerCapabilities): JsonObject =>
  codec.encodeResult('initialize', {
    protocolVersion: codec.revision,
    capabilities,
    serverInfo: definition.info,
    ...(definition.instructions !== undefined && { instructions: definition.instructions }),
  })

async function introduce(host: SessionHost, session: ClientSession, backend: Backend): Promise<JsonObject> {
  const { codec } = session.caller
  try {
    const said = await backend.introduce(session.caller, host)
    return introducedResult(host.definition, codec, said)
  } catch (error) {
    // The client may try again.
    host.session = undefined
    session.end()
    throw error
  }
}

/** The result of `initialize` with the words of a backend. */
export const introducedResult = ({ info }: Definition, codec: Codec, said: JsonObject): JsonObject =>
  codec.encodeResult('initialize', { serverInfo: info, ...said, protocolVersion: codec.revision })
