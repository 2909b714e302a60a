import { ErrorCode, isRpcError, McpError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { Task, TaskRequest } from '../../model/tasks.ts'
import type { CallToolResult } from '../../model/tools.ts'
import type { SendOptions } from '../connecting/connection.ts'
import { refuseDraftTask } from '../tasks/draft-task.ts'
import { tasksModule } from '../tasks/lazy-tasks-module.ts'
import type { TaskPollers } from '../tasks/polling/task-pollers.ts'
import type { RunningTask } from '../tasks/running-task.ts'
import type { TaskHost } from '../tasks/task-host.ts'
import { declaredTaskSettings } from '../tasks/task-support.ts'
import type { StartedTask, TaskStartOptions, ToolCallOptions } from '../tasks/types.ts'
import type { ToolCallResult } from '../types.ts'
import type { KnownTool, OutputSchemas } from './output-validation.ts'
import type { ServerLists } from './server-lists.ts'
import { toToolResult } from './tool-result.ts'

type Arguments = { [name: string]: unknown } | undefined

type ToolParams = JsonObject & { name: string }

const paramsOf = (name: string, args: Arguments): ToolParams =>
  args === undefined || args === null ? { name } : { name, arguments: args }

const isWanted = (wish: ToolCallOptions['task']): boolean => wish !== undefined && wish !== false

/** Calls tools, as tasks where that is wanted, and checks their results against the listed output schemas. */
export class ToolCalls {
  readonly #host: TaskHost
  readonly #lists: ServerLists
  readonly #outputs: OutputSchemas
  readonly #pollers: TaskPollers

  constructor(host: TaskHost, lists: ServerLists, outputs: OutputSchemas, pollers: TaskPollers) {
    this.#host = host
    this.#lists = lists
    this.#outputs = outputs
    this.#pollers = pollers
  }

  async call<Structured>(name: string, args: Arguments, options: ToolCallOptions): Promise<ToolCallResult<Structured>> {
    const started = options.maxTotalMs === undefined ? 0 : performance.now()
    const tool = this.#unknown(name, options) ? await this.#find(name) : this.#outputs.known(name)
    const params = paramsOf(name, args)
    let result: JsonObject
    try {
      result = await this.#send(params, tool, options)
    } catch (error) {
      result = await this.#sendAgain(params, tool, options, error)
    }
    const preparing = this.#outputs.prepare(tool)
    if (preparing !== undefined) await preparing
    if (result.resultType !== 'task') return this.#finish(name, tool, result)
    const task = await this.#taskOf<Structured>(name, tool, result, options, started)
    try {
      return await task.result()
    } catch (error) {
      task.abandon(error)
      throw error
    }
  }

  /** The same, without waiting for a task to end. */
  async start<Structured>(
    name: string,
    args: Arguments,
    { ttlMs, onStatus, ...call }: TaskStartOptions,
  ): Promise<StartedTask<Structured>> {
    const task = { ...(ttlMs !== undefined && { ttlMs }), ...(onStatus && { onStatus }) }
    const options: ToolCallOptions = { ...call, task }
    const started = performance.now()
    const tool = this.#unknown(name, options) ? await this.#find(name) : this.#outputs.known(name)
    const params = paramsOf(name, args)
    const result = await this.#send(params, tool, options).catch((error: unknown) =>
      this.#sendAgain(params, tool, options, error),
    )
    await this.#outputs.prepare(tool)
    if (result.resultType !== 'task') {
      const finished = this.#finish<Structured>(name, tool, result)
      return tasksModule(({ finishedTask }) => finishedTask(finished))
    }
    return this.#taskOf(name, tool, result, options, started)
  }

  /** The result of a task that was started earlier. */
  async finish<Structured>(name: string | undefined, result: JsonObject): Promise<ToolCallResult<Structured>> {
    if (name === undefined) return toToolResult(result as unknown as CallToolResult)
    const tool = this.#outputs.known(name) ?? (await this.#find(name))
    await this.#outputs.prepare(tool)
    return this.#finish(name, tool, result)
  }

  #finish<Structured>(name: string, tool: KnownTool | undefined, result: JsonObject): ToolCallResult<Structured> {
    const answer = result as unknown as CallToolResult
    if (answer._meta !== undefined) refuseDraftTask(name, answer)
    if (answer.isError !== true) this.#outputs.check(name, tool, answer.structuredContent)
    const outcome = toToolResult<Structured>(answer)
    if (outcome.isError) this.#host.connection.failed(outcome.text)
    return outcome
  }

  #taskOf<Structured>(
    name: string,
    tool: KnownTool | undefined,
    created: JsonObject,
    { task: wish, timeoutMs, maxTotalMs, signal, origin }: ToolCallOptions,
    started: number,
  ): MaybePromise<RunningTask<Structured>> {
    if (!this.#takesTask(wish)) {
      throw new McpError('invalid_result', 'tools/call was answered with a task, which this client did not declare')
    }
    const onStatus = typeof wish === 'object' ? wish.onStatus : undefined
    const running = {
      host: this.#host,
      pollers: this.#pollers,
      signal,
      origin,
      finish: (answer: JsonObject) => this.#finish<Structured>(name, tool, answer),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(maxTotalMs !== undefined && { deadline: started + maxTotalMs }),
      ...(onStatus && { onStatus }),
    }
    return tasksModule(({ RunningTask }) => new RunningTask(created as unknown as Task, running))
  }

  /** Whether the tool must be listed first: for its `taskSupport` or its output schema. */
  #unknown(name: string, { task }: ToolCallOptions): boolean {
    if (this.#outputs.lacks(name)) return true
    return isWanted(task) && this.#tasksAreAskedFor() && this.#outputs.known(name) === undefined
  }

  #find(name: string): Promise<KnownTool | undefined> {
    return this.#outputs.find(name, () => this.#lists.tools({}))
  }

  #send(params: ToolParams, tool: KnownTool | undefined, options: ToolCallOptions): Promise<JsonObject> {
    const task = this.#taskRequest(tool, options)
    if (task !== undefined) return this.#sendAsTask(params, task, options)
    return this.#host.requests.call('tools/call', params, this.#declaring(options))
  }

  /** A call that was refused for its form did not run; the list of tools says which form is expected. */
  async #sendAgain(
    params: ToolParams,
    tool: KnownTool | undefined,
    options: ToolCallOptions,
    refusal: unknown,
  ): Promise<JsonObject> {
    const wasTask = this.#taskRequest(tool, options) !== undefined
    if (!isRpcError(refusal) || !refusal.remote || wasTask) throw refusal
    const { signal } = options
    const { code } = refusal
    if (code === ErrorCode.HeaderMismatch) {
      // If arguments travel in headers, the server may want others than in the last list.
      for await (const _ of this.#lists.tools({ fresh: true, ...(signal && { signal }) }));
      return this.#host.requests.call('tools/call', params, this.#declaring(options))
    }
    const mayWantTask = code === ErrorCode.MethodNotFound || code === ErrorCode.InvalidRequest
    if (tool !== undefined || !mayWantTask || !this.#tasksAreAskedFor()) throw refusal
    const found = await this.#find(params.name).catch(() => undefined)
    const task = this.#taskRequest(found, options)
    if (task === undefined) throw refusal
    return this.#sendAsTask(params, task, options)
  }

  #sendAsTask(params: ToolParams, task: TaskRequest, options: ToolCallOptions): Promise<JsonObject> {
    return tasksModule(({ sendAsTask }) => sendAsTask({ ...params, task }, options, this.#host))
  }

  /** A server that decides which calls become tasks has to know that this one may. */
  #declaring(options: ToolCallOptions): SendOptions {
    return isWanted(options.task) && this.#takesTask(options.task) ? { ...options, usesTasks: true } : options
  }

  #takesTask(wish: ToolCallOptions['task']): boolean {
    const { codec } = this.#host.connection.latest
    const { tasks } = this.#host.sources.settings
    // A client that does not declare tasks asks for each one, so a task is no surprise.
    return tasks !== false && (tasks === true || isWanted(wish) || codec.tasks?.declared !== true)
  }

  /** True if the caller decides which calls become tasks, and the server supports them. */
  #tasksAreAskedFor(): boolean {
    const { codec, server } = this.#host.connection.latest
    if (codec.tasks === undefined || codec.tasks.declared) return false
    return this.#host.sources.settings.tasks !== false && declaredTaskSettings(server.capabilities) !== undefined
  }

  #taskRequest(tool: KnownTool | undefined, { task: wish }: ToolCallOptions): TaskRequest | undefined {
    const support = tool?.taskSupport
    const wanted = support === 'required' || (support === 'optional' && isWanted(wish))
    if (!wanted || !this.#tasksAreAskedFor()) return undefined
    return typeof wish === 'object' && wish.ttlMs !== undefined ? { ttlMs: wish.ttlMs } : {}
  }
}
