import { TokenBucket } from '../internal/token-bucket.ts'
import { OutputSchemas } from './calls/output-validation.ts'
import { RequestSender } from './calls/request-sender.ts'
import { ResponseCache } from './calls/response-cache.ts'
import { ServerLists } from './calls/server-lists.ts'
import { ToolCalls } from './calls/tool-calls.ts'
import { ClientDescription } from './connecting/client-description.ts'
import type { ClientConnection } from './connecting/connection.ts'
import { type ConnectionListeners, ReconnectingConnection } from './connecting/reconnecting-connection.ts'
import type { Opener } from './connecting/target.ts'
import { ElicitationIds } from './input/elicitation-ids.ts'
import type { InputSources } from './input/input-sources.ts'
import { inputModule } from './input/lazy-input-module.ts'
import { RootList } from './input/roots.ts'
import { dispatchNotification, type NotificationSinks } from './notifications/dispatch-notification.ts'
import { ServerChanges } from './notifications/server-changes.ts'
import { type ClientSettings, callListener, toError } from './options.ts'
import { ClientTasks } from './tasks/client-tasks.ts'
import { TaskPollers } from './tasks/polling/task-pollers.ts'
import type { TaskHost } from './tasks/task-host.ts'

/** The parts of a client. */
export interface ClientParts {
  readonly description: ClientDescription
  readonly connection: ReconnectingConnection
  readonly listeners: ConnectionListeners
  readonly requests: RequestSender
  readonly lists: ServerLists
  readonly toolCalls: ToolCalls
  readonly tasks: ClientTasks
  readonly changes: ServerChanges
  readonly roots: RootList
}

/** Makes the parts of a client, each after those that it uses. */
export function createClientParts(opener: Opener, settings: ClientSettings): ClientParts {
  const description = new ClientDescription(settings)
  const sources = inputSources(settings)
  const cache = settings.cache === false ? undefined : new ResponseCache(settings.cache)
  const connection = new ReconnectingConnection(opener, settings, description)
  const requests = new RequestSender(connection, sources, cache)
  const outputs = new OutputSchemas(settings.validate, settings.warn)
  const lists = new ServerLists(requests, connection, outputs)
  const pollers = new TaskPollers(connection)
  const host: TaskHost = { requests, connection, sources }
  const toolCalls = new ToolCalls(host, lists, outputs, pollers)
  const tasks = new ClientTasks(host, pollers, toolCalls)
  const forget = (): void => {
    outputs.forget()
    cache?.clear()
  }
  const changes = new ServerChanges(connection, (method, params) => requests.call(method, params), forget)
  const sinks: NotificationSinks = {
    settings,
    changes,
    elicitations: sources.elicitations,
    changed(kind) {
      if (kind === 'tools') outputs.forget()
      cache?.changed(kind)
    },
    updated: (uri) => cache?.updated(uri),
    taskChanged: (task) => pollers.changed(task),
  }
  const listeners: ConnectionListeners = {
    request: (request, on) => inputModule(({ answerRequest }) => answerRequest(request, on, sources)),
    notification: (message, on) => dispatchNotification(message, on, sinks),
    restored(fresh, because) {
      forget()
      pollers.restored()
      retell(fresh, changes, requests, connection)
      if (because === 'restart') callListener(settings.report, settings.onRestart, fresh.server)
    },
  }
  return { description, connection, listeners, requests, lists, toolCalls, tasks, changes, roots: sources.roots }
}

function inputSources(settings: ClientSettings): InputSources {
  const { maxQuestionsPerMinute: perMinute } = settings
  return {
    settings,
    roots: new RootList(settings.roots),
    elicitations: new ElicitationIds(),
    ...(perMinute !== undefined && { allowance: new TokenBucket({ perMinute }) }),
  }
}

/** A new server process, or a new session, knows neither the subscriptions nor the log level. */
function retell(
  fresh: ClientConnection,
  changes: ServerChanges,
  requests: RequestSender,
  { settings, description: { logLevel } }: ReconnectingConnection,
): void {
  const steps: Promise<unknown>[] = [changes.renew(fresh)]
  if (logLevel !== undefined) steps.push(fresh.conversation.restoreLoggingLevel(logLevel, requests))
  for (const step of steps) step.catch((error: unknown) => settings.report(toError(error)))
}
