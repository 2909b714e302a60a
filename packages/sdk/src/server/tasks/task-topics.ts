import { ErrorCode, RpcError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { tasksExtension } from '../../model/tasks.ts'
import { knowsTasks } from '../../wire/tasks.ts'
import { ownerOf } from '../access/caller-owner.ts'
import { subscriptionLimit } from '../subscriptions/subscription-limits.ts'
import type { Topic } from '../subscriptions/topics.ts'
import { loadTasks } from './lazy-tasks.ts'
import { undeclared } from './task-refusals.ts'

/** Changes of the tasks that a client named, as long as they are its own. */
const taskIds: Topic = {
  method: 'notifications/tasks',
  async honour(asked, caller, definition) {
    if (!knowsTasks(caller.capabilities)) {
      throw undeclared(`taskIds needs the client capability extensions["${tasksExtension}"]`)
    }
    if (!definition.offersTasks) return undefined
    const ids = asked as readonly string[]
    const limit = subscriptionLimit(definition)
    if (ids.length > limit) throw tooMany(ids.length, limit)
    const known = new Set<string>()
    const tasks = (await loadTasks()).tasksOf(definition)
    for (const id of new Set(ids)) if (await tasks.has(caller, id)) known.add(id)
    return known.size > 0 ? known : undefined
  },
  paramsFor: (change, wanted, caller) =>
    change.kind === 'task' && wanted !== true && wanted.has(change.task.taskId) && change.owner === ownerOf(caller)
      ? asParams(change.task)
      : undefined,
}

/** A session is notified of the tasks that run for it, without a subscription, as in 2025-11-25. */
const taskStatus: Topic = {
  method: 'notifications/tasks/status',
  honour: () => undefined,
  paramsFor: (change, _wanted, caller) =>
    change.kind === 'task' &&
    change.session === caller.session &&
    caller.codec.notifications.server.has(taskStatus.method)
      ? asParams(change.task)
      : undefined,
}

const asParams = (task: object): JsonObject => ({ ...task })

const tooMany = (count: number, limit: number): RpcError =>
  new RpcError(
    ErrorCode.InvalidParams,
    `subscriptions/listen params.notifications.taskIds: expected at most ${limit} ids, got ${count}`,
    { limit },
  )

/** The notifications of tasks, by the field of the filter. */
export const taskTopics: ReadonlyMap<string, Topic> = new Map([
  ['taskIds', taskIds],
  ['taskStatus', taskStatus],
])
