import { isObject } from '../jsonrpc/classify.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import { InputRequired } from '../server/questions/input-required.ts'
import { unknownTask } from '../server/tasks/task-refusals.ts'
import type { BackendHandlers } from './backend-handlers.ts'
import { BackendSession } from './backend-session.ts'
import { TaskOwners } from './task-owners.ts'

/**
 * Handlers that answer an authenticated caller only about tasks that were handed to its principal. The server behind a proxy
 * often takes all callers for one, so it cannot keep them apart. For callers without authentication nothing changes.
 */
export function withOwnTasks(handlers: BackendHandlers): BackendHandlers {
  const owners = new TaskOwners()
  const hears = (principal: string, method: string, params: JsonObject): boolean =>
    !method.startsWith('notifications/tasks') || owners.has(principal, params.taskId)
  return {
    introduce(to) {
      const principal = to.caller.auth?.principal
      if (to instanceof BackendSession && principal !== undefined) {
        to.hears = (method, params) => hears(principal, method, params)
      }
      return handlers.introduce(to)
    },
    async answer(request) {
      const principal = request.auth?.principal
      if (principal === undefined) return handlers.answer(request)
      const { method, params } = request
      const isAboutTasks = method.startsWith('tasks/')
      if (isAboutTasks && params.taskId !== undefined && !owners.has(principal, params.taskId)) throw unknownTask()
      const returned = await handlers.answer(request)
      if (returned instanceof InputRequired) return returned
      if (method === 'tasks/list') return ownOnly(returned, (id) => owners.has(principal, id))
      const { resultType, taskId, ttlMs } = returned
      if (!isAboutTasks && resultType === 'task' && typeof taskId === 'string') owners.add(principal, taskId, ttlMs)
      return returned
    },
    listen(request, filter, tell) {
      const principal = request.auth?.principal
      if (principal === undefined) return handlers.listen(request, filter, tell)
      const { taskIds, ...others } = filter
      const own = taskIds?.filter((id) => owners.has(principal, id))
      return handlers.listen(request, { ...others, ...(own && { taskIds: own }) }, (method, params) => {
        if (hears(principal, method, params)) tell(method, params)
      })
    },
    notified: (from, notification) => handlers.notified?.(from, notification),
    closed: (session) => handlers.closed?.(session),
    lineClosed: (line) => handlers.lineClosed?.(line),
  }
}

/** A page of a list, without the tasks of others. */
function ownOnly(page: JsonObject, isOwn: (id: unknown) => boolean): JsonObject {
  const tasks = Array.isArray(page.tasks) ? page.tasks : []
  return { ...page, tasks: tasks.filter((task) => isObject(task) && isOwn(task.taskId)) }
}
