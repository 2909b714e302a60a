import type { JsonObject } from '../../jsonrpc/message.ts'
import type { TaskRequest } from '../../model/tasks.ts'
import type { Call } from '../dispatch/call.ts'
import { findTool } from '../features/find-tool.ts'
import { loadTasks } from './lazy-tasks.ts'
import type { TaskServer } from './task-server.ts'

/** Answers a call that may become a task; undefined if it is to be answered as any other. */
export function callAsTask(
  call: Call,
  server: TaskServer,
  params: JsonObject,
): Promise<JsonObject | undefined> | undefined {
  call.tool ??= findTool(server, params.name)
  const found = call.tool
  if (found === undefined) return undefined
  const { expected = false } = params.task as TaskRequest
  // Clients that know tasks say so with every call, and most calls are of other tools.
  if (found.tool.task === undefined && !(expected && server.offersTasks)) return undefined
  return loadTasks().then(({ startTask }) => startTask(call, server, params, found, expected))
}
