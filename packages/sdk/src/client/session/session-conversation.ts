import { hasHandshake } from '../../wire/codecs.ts'
import type { ClientConversation } from '../conversation.ts'
import { unknownMethod } from '../notifications/unknown-method.ts'
import { declaredInSession, initialize } from './initialize.ts'

const nothing: ReadonlySet<string> = new Set()

/** A session, which `initialize` opens: the server remembers the client and sends requests of its own. */
export const clientSessionConversation: ClientConversation = {
  opening: 'initialize',
  open: initialize,
  probe: initialize,
  // Some newer servers end when the first message is `initialize`.
  fallback: (revisions) => revisions.find((revision) => !hasHandshake(revision)),
  opened: (connection) => void connection.notify('notifications/initialized'),
  declared: declaredInSession,

  envelope: () => undefined,
  cachesResults: false,
  isInputRequired: () => false,
  finishPage(page) {
    if (page.nextCursor !== '') return page
    // An empty cursor is no cursor: some servers end a list with it.
    const { nextCursor: _, ...last } = page
    return last as typeof page
  },
  ping: (requests, options) => requests.request('ping', {}, options),
  setLoggingLevel: (level, _, requests, options) => requests.call('logging/setLevel', { level }, options),
  restoreLoggingLevel: (level, requests) => requests.call('logging/setLevel', { level }),

  maySend: () => true,
  unsentQuestion: () => undefined,
  assertRequestAllowed: () => {},
  deliver: (_, params, sinks, connection, handle) => handle(params, sinks, connection),

  announces: (kind, { capabilities }) => capabilities[kind]?.listChanged === true,
  refresh: () => {},
  async subscribe(uri, { call }) {
    try {
      return await call('resources/subscribe', { uri })
    } catch (error) {
      throw unknownMethod(error, 'resources/subscribe', uri)
    }
  },
  unsubscribe: (uri, { call }) => call('resources/unsubscribe', { uri }),
  subscribeToTask: async () => () => {},
  listenFilter: () => nothing,
  resubscribe(changes) {
    changes.subscriptions.clear()
    changes.outdated()
    return changes.watches.renew(true)
  },
}
