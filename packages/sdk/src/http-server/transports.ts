import { type PeerOptions, peerDefaults } from '../jsonrpc/peer-options.ts'
import type { Dispatcher } from '../server/dispatch/dispatcher.ts'
import { HttpSseTransport } from './http-sse/http-sse-transport.ts'
import type { HttpTransport, TransportContext } from './http-transport.ts'
import type { KeepAliveTimer } from './keep-alive.ts'
import type { HttpSettings } from './options.ts'
import { NoSessions } from './session/no-sessions.ts'
import { SessionTransport } from './session/session-transport.ts'
import { SessionlessTransport } from './sessionless/sessionless-transport.ts'
import { reportAnnotations } from './stateless/stateless-checks.ts'
import { StatelessTransport } from './stateless/stateless-transport.ts'

/** The transports of a server, in the order in which a request is offered to them. The last one owns every request. */
export function httpTransports(
  dispatcher: Dispatcher,
  settings: HttpSettings,
  keepAlive: KeepAliveTimer,
): readonly HttpTransport[] {
  const { statelessRevisions, sessionRevisions } = dispatcher.definition
  reportAnnotations(dispatcher.definition)
  const context: TransportContext = {
    dispatcher,
    settings,
    keepAlive,
    sessionLimits: sessionLimits(dispatcher, settings),
  }
  return [
    ...(settings.ssePath === undefined ? [] : [new HttpSseTransport(context, settings.ssePath)]),
    ...(statelessRevisions.length > 0 ? [new StatelessTransport(context)] : []),
    sessionRevisions.length === 0
      ? new NoSessions(context)
      : settings.sessions
        ? new SessionTransport(context)
        : new SessionlessTransport(context),
  ]
}

/** One client may hold only a small part of all slots. */
function sessionLimits({ peerOptions }: Dispatcher, { maxInFlightPerSession }: HttpSettings): PeerOptions {
  const { maxIncoming = peerDefaults.maxIncoming } = peerOptions
  return { ...peerOptions, maxIncoming: Math.min(maxIncoming, maxInFlightPerSession) }
}
