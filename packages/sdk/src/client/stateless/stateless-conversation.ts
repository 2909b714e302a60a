import { McpError } from '../../errors.ts'
import { isAnswer } from '../../transport/is-answer.ts'
import { newestWithHandshake } from '../../wire/codecs.ts'
import type { ClientConversation } from '../conversation.ts'
import { notFound } from '../input/answer-errors.ts'
import { discover, probe } from './discover.ts'
import { unsentQuestion } from './unsent-question.ts'

/** The notifications that arrive on a subscription only. */
const subscribed: ReadonlySet<string> = new Set([
  'notifications/resources/updated',
  'notifications/tools/list_changed',
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
])

const resources = 'resourceSubscriptions'
const tasks = 'taskIds'

/** Requests that describe their sender: the server remembers nothing, and asks only in results. */
export const clientStatelessConversation: ClientConversation = {
  opening: 'server/discover',
  open: discover,
  probe,
  // Some older servers end when the first message is not `initialize`.
  fallback: newestWithHandshake,
  opened: () => {},
  declared: (_, { capabilities }) => capabilities,

  envelope: (sender, codec, usesTasks) => sender.envelope(codec, usesTasks),
  cachesResults: true,
  isInputRequired: ({ resultType }, method, { requests }) =>
    resultType === 'input_required' && requests.client.has(method),
  finishPage: (page) => page,
  ping: (requests, options) => requests.request('server/discover', {}, options),
  // Every later request carries the level.
  async setLoggingLevel(_, { capabilities }) {
    if (capabilities.logging !== undefined) return
    throw new McpError('unsupported', 'The server did not declare the capability logging')
  },
  restoreLoggingLevel: async () => {},

  // A client sends no responses, not even to a server that sends requests by mistake.
  maySend: (payload) => !isAnswer(payload),
  unsentQuestion,
  assertRequestAllowed({ id, method }, { peer, codec }, report) {
    const message = `The server sent the request ${method}, which servers of ${codec.revision} must not do; it gets no answer`
    peer.cancelIncoming(id, message)
    report(new McpError('invalid_result', message))
    throw notFound(method)
  },
  deliver(method, params, sinks, connection, handle) {
    if (!subscribed.has(method)) handle(params, sinks, connection)
    else {
      const { subscriptions } = sinks.changes
      subscriptions.receive(method, params, connection, () => handle(params, sinks, connection))
    }
  },

  // The acknowledgement of the subscription says whether a change is announced.
  announces: (kind, { capabilities }) => capabilities[kind] !== undefined,
  refresh: ({ subscriptions }) => void subscriptions.refresh(),
  async subscribe(uri, { subscriptions }, { capabilities }) {
    if (capabilities.resources !== undefined) return subscriptions.subscribe(resources, uri)
    throw new McpError(
      'unsupported',
      `The server did not declare the capability resources, which watching ${uri} needs`,
    )
  },
  unsubscribe: (uri, { subscriptions }) => subscriptions.unsubscribe(resources, uri),
  async subscribeToTask(taskId, { subscriptions }) {
    await subscriptions.subscribe(tasks, taskId)
    return () => void subscriptions.unsubscribe(tasks, taskId)
  },
  listenFilter: (fields, values) => new Set([...fields, ...values]),
  resubscribe({ subscriptions, watches }) {
    subscriptions.renew()
    return watches.renew(false)
  },
}
