import type { JsonObject, Notification } from '../../jsonrpc/message.ts'
import type { LogMessage } from '../../model/logging.ts'
import type { Task } from '../../model/tasks.ts'
import type { ClientConnection } from '../connecting/connection.ts'
import type { ElicitationIds } from '../input/elicitation-ids.ts'
import { type ClientSettings, callListener } from '../options.ts'
import type { ChangeKind } from '../types.ts'
import type { ServerChanges } from './server-changes.ts'

/** The parts of a client that handle notifications. */
export interface NotificationSinks {
  settings: ClientSettings
  changes: ServerChanges
  elicitations: ElicitationIds
  /** Called before the listeners of a change, so that they see no stale state. */
  changed(kind: ChangeKind): void
  /** The same for a resource. */
  updated(uri: string): void
  /** The same for a task. */
  taskChanged(task: Pick<Task, 'taskId'>): void
}

type NotificationHandler = (params: JsonObject, sinks: NotificationSinks, connection: ClientConnection) => void

const listChanged =
  (kind: ChangeKind): NotificationHandler =>
  (_, sinks) => {
    sinks.changed(kind)
    sinks.changes.lists.emit(kind)
  }

const handlers: ReadonlyMap<string, NotificationHandler> = new Map<string, NotificationHandler>([
  ['notifications/cancelled', cancelled],
  ['notifications/progress', progressed],
  ['notifications/message', logged],
  ['notifications/resources/updated', resourceUpdated],
  ['notifications/tools/list_changed', listChanged('tools')],
  ['notifications/resources/list_changed', listChanged('resources')],
  ['notifications/prompts/list_changed', listChanged('prompts')],
  ['notifications/elicitation/complete', elicitationComplete],
  ['notifications/subscriptions/acknowledged', acknowledged],
  ['notifications/tasks/status', taskChanged],
  ['notifications/tasks', taskChanged],
])

/** Reads a notification and handles it. Notifications that the revision lacks are ignored. */
export function dispatchNotification(
  message: Notification,
  connection: ClientConnection,
  sinks: NotificationSinks,
): void {
  const { settings } = sinks
  callListener(settings.report, settings.onNotification, message)
  const handle = handlers.get(message.method)
  if (handle === undefined || !connection.codec.notifications.server.has(message.method)) return
  const params = connection.codec.decodeParams(message.method, message.params ?? undefined)
  connection.conversation.deliver(message.method, params, sinks, connection, handle)
}

function acknowledged(params: JsonObject, { changes }: NotificationSinks, connection: ClientConnection): void {
  changes.subscriptions.acknowledged(params, connection)
}

function resourceUpdated({ uri }: JsonObject, sinks: NotificationSinks): void {
  sinks.updated(uri as string)
  sinks.changes.watches.updated({ uri: uri as string })
}

function taskChanged(task: JsonObject, sinks: NotificationSinks): void {
  sinks.taskChanged(task as unknown as Task)
}

function cancelled(
  { requestId, reason }: JsonObject,
  { changes }: NotificationSinks,
  connection: ClientConnection,
): void {
  if (requestId === undefined) return
  changes.subscriptions.cancelled(requestId, connection)
  connection.peer.cancelIncoming(
    requestId as string | number,
    (reason as string | undefined) ?? 'The server cancelled the request',
  )
}

function progressed(params: JsonObject, _: NotificationSinks, connection: ClientConnection): void {
  connection.progress.progressed(params.progressToken as string | number, params)
}

function logged({ level, logger, data }: JsonObject, { settings }: NotificationSinks): void {
  const message = { level, data, ...(logger === undefined ? {} : { logger }) } as LogMessage
  callListener(settings.report, settings.onLog, message)
}

function elicitationComplete({ elicitationId }: JsonObject, { settings, elicitations }: NotificationSinks): void {
  const id = elicitationId as string
  if (elicitations.complete(id)) callListener(settings.report, settings.onElicitationComplete, id)
}
