import { unlessAborted } from '../../internal/abort.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ClientConnection } from '../connecting/connection.ts'
import type { CallOptions } from '../types.ts'
import { cancelRemoteTask } from './cancel-task.ts'
import type { TaskHost } from './task-host.ts'

/**
 * Sends a call that asks for a task. Such a call is never cancelled by a notification: if it is aborted before the task
 * is known, the task is cancelled as soon as it is. Its progress is reported under the id of the call until the task
 * ends; `endReports` ends that.
 */
export async function sendAsTask(params: JsonObject, options: CallOptions, host: TaskHost): Promise<JsonObject> {
  const { signal, ...rest } = options
  if (signal?.aborted) return host.requests.call('tools/call', params, options)
  const reports = new Reports(options)
  const sending = host.requests.call('tools/call', params, { ...rest, onSent: reports.begin })
  try {
    const result = await unlessAborted('tools/call', sending, signal)
    reports.keepFor(result)
    return result
  } catch (error) {
    reports.end()
    if (signal?.aborted) sending.then((result) => cancelCreated(result, host)).catch(() => {})
    throw error
  }
}

const cancelCreated = ({ resultType, taskId }: JsonObject, host: TaskHost): unknown =>
  resultType === 'task' && cancelRemoteTask(taskId as string, host)

const ends = new WeakMap<object, () => void>()

/** Ends the progress of a task, given the answer that created it. */
export function endReports(created: object): void {
  ends.get(created)?.()
}

class Reports {
  readonly #onProgress: CallOptions['onProgress']
  end: () => void = () => {}

  constructor({ onProgress }: CallOptions) {
    this.#onProgress = onProgress
  }

  readonly begin = (id: string | number, connection: ClientConnection): void => {
    this.end()
    if (this.#onProgress !== undefined) this.end = connection.progress.expectForTask(id, this.#onProgress)
  }

  keepFor(result: JsonObject): void {
    if (result.resultType === 'task') ends.set(result, this.end)
    else this.end()
  }
}
