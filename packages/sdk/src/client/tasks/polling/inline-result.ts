import { McpError, RpcError } from '../../../errors.ts'
import type { JsonObject } from '../../../jsonrpc/message.ts'
import type { DetailedTask } from '../../../model/tasks.ts'
import { type PolledTask, type TaskResultReader, wasCancelled } from './polled-task.ts'
import { TaskInputRequests } from './task-input-requests.ts'

/** The tasks extension: `tasks/get` returns the input requests, the result or the error of a task. */
export class InlineResult implements TaskResultReader {
  readonly #inputRequests: TaskInputRequests

  constructor(polled: PolledTask) {
    this.#inputRequests = new TaskInputRequests(polled)
  }

  get isWaiting(): boolean {
    return this.#inputRequests.isWaiting
  }

  read(task: DetailedTask): JsonObject | undefined {
    if (task.status === 'cancelled') throw wasCancelled(task)
    if (task.status === 'failed') throw failure(task)
    if (task.status === 'completed') return resultOf(task)
    this.#inputRequests.update(task)
    return undefined
  }
}

function resultOf({ result }: DetailedTask): JsonObject {
  if (result !== undefined) return result as unknown as JsonObject
  throw new McpError('invalid_result', 'tasks/get result.result: expected an object in a completed task, got nothing')
}

function failure({ error, statusMessage = 'nothing' }: DetailedTask): Error {
  if (error !== undefined) return new RpcError(error.code, error.message, error.data, { remote: true })
  return new McpError(
    'invalid_result',
    `tasks/get result.error: expected an object in a failed task, got ${statusMessage}`,
  )
}
