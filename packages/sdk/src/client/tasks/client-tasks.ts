import { unlessAborted } from '../../internal/abort.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { DetailedTask, ListTasksResult, Task } from '../../model/tasks.ts'
import { allItems } from '../calls/pagination.ts'
import type { ToolCalls } from '../calls/tool-calls.ts'
import type { CallOptions, ToolCallResult } from '../types.ts'
import { tasksModule } from './lazy-tasks-module.ts'
import type { TaskPollers } from './polling/task-pollers.ts'
import type { TaskHost } from './task-host.ts'
import { assertListed, assertTasks } from './task-support.ts'
import type { StartedTask, TaskResultOptions, TaskStartOptions } from './types.ts'

/** Tool calls that run as tasks. */
export class ClientTasks {
  readonly #host: TaskHost
  readonly #pollers: TaskPollers
  readonly #tools: ToolCalls

  constructor(host: TaskHost, pollers: TaskPollers, tools: ToolCalls) {
    this.#host = host
    this.#pollers = pollers
    this.#tools = tools
  }

  /**
   * Calls a tool and returns as soon as the server has made a task of it, or has answered at once.
   *
   * @example
   * const task = await client.tasks.start('report', { year: 2026 })
   * const { text } = await task.result()
   */
  start<Structured = unknown>(
    name: string,
    args?: { [name: string]: unknown },
    options: TaskStartOptions = {},
  ): Promise<StartedTask<Structured>> {
    return this.#tools.start(name, args, options)
  }

  /** The present state of a task. In 2025-11-25 it has neither input requests nor the result. */
  async get(id: string, options: CallOptions = {}): Promise<DetailedTask> {
    const { resultType: _, _meta: __, ...task } = await this.#call('tasks/get', { taskId: id }, options)
    return task as unknown as DetailedTask
  }

  /** Waits for the result of a task that was started earlier, maybe elsewhere, and answers its input requests. */
  async result<Structured = unknown>(
    id: string,
    { tool, signal, timeoutMs, maxTotalMs, onStatus }: TaskResultOptions = {},
  ): Promise<ToolCallResult<Structured>> {
    assertTasks(this.#host)
    const options = {
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(maxTotalMs !== undefined && { deadline: performance.now() + maxTotalMs }),
      ...(onStatus && { onStatus }),
    }
    const poller = await tasksModule(({ TaskPoller }) => new TaskPoller(id, this.#host, options))
    this.#pollers.add(poller)
    try {
      const result = await unlessAborted(`Waiting for the task ${JSON.stringify(id)}`, poller.outcome, signal)
      return await this.#tools.finish(tool, result)
    } catch (error) {
      poller.stop(error as Error)
      throw error
    }
  }

  /** Asks the server to stop a task, which may end before that. One that has ended stays as it is. */
  async cancel(id: string, options: CallOptions = {}): Promise<void> {
    assertTasks(this.#host)
    await tasksModule(({ cancelRemoteTask }) => cancelRemoteTask(id, this.#host, options))
    this.#pollers.changed({ taskId: id })
  }

  /** All tasks of this client, where a server lists them: in 2025-11-25, with the capability `tasks.list`. */
  async *list(options: CallOptions = {}): AsyncGenerator<Task, void, undefined> {
    assertListed(this.#host)
    yield* allItems<ListTasksResult, Task>(
      {
        name: 'tasks',
        fetch: async (cursor) => {
          const page = await this.#call('tasks/list', cursor === undefined ? {} : { cursor }, options)
          return page as unknown as ListTasksResult
        },
        items: ({ tasks }) => tasks,
        id: ({ taskId }) => taskId,
      },
      this.#host.sources.settings.maxPages,
    )
  }

  /** Answers input requests of a task by hand, in 2026-07-28. The keys are those of `inputRequests`. */
  async update(id: string, responses: JsonObject, options: CallOptions = {}): Promise<void> {
    await this.#call('tasks/update', { taskId: id, inputResponses: responses }, options)
    this.#pollers.changed({ taskId: id })
  }

  async #call(method: string, params: JsonObject, options: CallOptions): Promise<JsonObject> {
    assertTasks(this.#host)
    return this.#host.requests.call(method, params, options)
  }
}
