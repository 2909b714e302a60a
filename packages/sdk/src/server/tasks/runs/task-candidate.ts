import { isToolError, McpError } from '../../../errors.ts'
import { IncomingRequest } from '../../../jsonrpc/incoming.ts'
import type { JsonObject } from '../../../jsonrpc/message.ts'
import { CallerState } from '../../caller-state.ts'
import type { Call } from '../../dispatch/call.ts'
import type { Outlet } from '../../dispatch/outlet.ts'
import { ServerCall } from '../../dispatch/server-call.ts'
import { isForPeer, toWireError } from '../../dispatch/wire-error.ts'
import { answerToolsCall } from '../../features/call-tool.ts'
import type { Memory } from '../../questions/memory.ts'
import type { Replay } from '../../questions/replay.ts'
import { Round, startRound } from '../../questions/round.ts'
import { type OpenedState, replayOf, withRequestState } from '../../stateless/request-state.ts'
import { taskOf } from '../store/task-record.ts'
import type { TaskRecord } from '../store/task-store.ts'
import { hasFault } from '../task-handle.ts'
import type { ToolTask } from '../task-options.ts'
import { StatusWriter } from './status-writer.ts'
import type { TaskKeeper } from './task-keeper.ts'

/** A call that runs as any other until it becomes a task, if it does: its answer is its result, or the task. */
export function runUntilTask(tasks: TaskKeeper, call: Call, params: JsonObject, tool: ToolTask): Promise<JsonObject> {
  return new Candidate(tasks, call, params, tool).answer()
}

class Candidate {
  readonly #tasks: TaskKeeper
  readonly #outer: Call
  readonly #params: JsonObject
  readonly #tool: ToolTask
  /** Outlives the request that it came with. */
  readonly #request: IncomingRequest
  readonly #caller: CallerState
  #replay: Replay | undefined
  #memory: Memory | undefined
  #opened: Memory | undefined
  #record: TaskRecord | undefined
  #starting: Promise<void> | undefined
  #isOver = false
  #answer!: (result: JsonObject) => void
  #firstWords: string | undefined
  #line: StatusWriter | undefined

  constructor(tasks: TaskKeeper, call: Call, params: JsonObject, tool: ToolTask) {
    const { request, caller } = call
    this.#tasks = tasks
    this.#outer = call
    this.#params = params
    this.#tool = tool
    const { id, method } = request
    const message = { jsonrpc: '2.0', id, method, ...(request.params && { params: request.params }) } as const
    this.#request = new IncomingRequest(message, request.sink)
    this.#caller = new CallerState(caller.codec, caller.conversation, caller, caller.connection, caller.auth)
  }

  answer(): Promise<JsonObject> {
    return withRequestState(this.#outer, this.#tasks.definition, this.#params, (state) => this.#answerWith(state))
  }

  #answerWith({ memory, seal }: OpenedState): Promise<JsonObject> {
    const call = new ServerCall(this.#request, this.#caller, this.#outlet(), this.#outer.tool)
    this.#opened = memory
    const keeper = {
      save: async (next: Memory) => {
        this.#memory = next
        return this.#starting === undefined ? seal(next) : ''
      },
      keepSteps: (steps: Memory['steps']) => this.#keep(steps),
    }
    const round = startRound(call, new Round(this.#tasks.definition, this.#params, memory, keeper))
    this.#replay = replayOf(call, round)
    const self = this
    call.task = {
      get id() {
        return self.#record?.id
      },
      start: () => this.#start(),
      status: (message) => this.#say(message),
    }
    this.#forwardCancel()
    return new Promise((resolve, reject) => {
      this.#answer = resolve
      this.#run(call, resolve, reject)
    })
  }

  abort(reason: McpError): void {
    this.#request.cancel(reason)
  }

  #run(call: Call, resolve: (result: JsonObject) => void, reject: (error: unknown) => void): void {
    const { definition } = this.#tasks
    const { afterMs } = this.#tool
    // If the task cannot be made, the call stays an ordinary one.
    const late = (): void => void this.#start().catch((error: unknown) => definition.report(error, 'tasks'))
    const timer = afterMs === undefined ? undefined : setTimeout(late, afterMs)
    const ended = async (): Promise<void> => {
      clearTimeout(timer)
      await this.#starting?.catch(() => {})
      await this.#line?.written()
      this.#isOver = true
      this.#caller.dispose((error) => definition.report(error, 'context'))
      if (this.#record === undefined) this.#request.settle()
    }
    const running = async (): Promise<JsonObject> => call.round!.finish(answerToolsCall(call, definition, this.#params))
    this.#done = running().then(
      async (result) => {
        await ended()
        if (this.#record === undefined) return resolve(result)
        const fault = hasFault(call.task!)
        const again = await this.#tasks.settle(this.#record, { result, memory: this.#memory, fault })
        if (again !== undefined) void this.#tasks.run(again)
      },
      async (thrown: unknown) => {
        await ended()
        if (this.#record === undefined) return reject(thrown)
        const error = toWireError(thrown, (cause) => definition.report(cause, 'tools/call'))
        await this.#tasks.settle(this.#record, { error, fault: !isForPeer(thrown) && !isToolError(thrown) })
      },
    )
    this.#done.catch(reject)
  }

  #done: Promise<void> | undefined

  /** Answers the request with a task; the run goes on. */
  #start(): Promise<void> {
    if (this.#isOver || this.#request.cancelled) return Promise.resolve()
    this.#starting ??= this.#promote()
    return this.#starting
  }

  async #promote(): Promise<void> {
    const steps = this.#replay!.steps
    const memory = steps.length > 0 || this.#opened ? { asked: [], ...this.#opened, steps } : undefined
    const answers = this.#params.inputResponses as { [key: string]: JsonObject } | undefined
    const record = await this.#tasks.create(this.#outer, this.#params, this.#tool, { memory, answers })
    this.#record = record
    this.#tasks.attend(record, this, this.#done!)
    this.#answer({ resultType: 'task', ...taskOf(record) })
    this.#line = new StatusWriter((message) => this.#tasks.say(record, message))
    if (this.#firstWords !== undefined) this.#line.say(this.#firstWords)
    if (this.#replay!.steps.length > steps.length) await this.#keep(this.#replay!.steps)
  }

  async #keep(steps: Memory['steps']): Promise<void> {
    if (this.#record !== undefined) await this.#tasks.keepSteps(this.#record, steps)
  }

  #say(message: string): void {
    this.#firstWords = message
    this.#line?.say(message)
  }

  /** As long as it is no task, the call ends with its request. */
  #forwardCancel(): void {
    const { signal } = this.#outer.request
    const forward = (): void => {
      if (this.#record === undefined) this.#request.cancel(signal.reason as McpError)
    }
    signal.aborted ? forward() : signal.addEventListener('abort', forward, { once: true })
  }

  #outlet(): Outlet {
    const { outlet, request } = this.#outer
    return {
      askTimeoutMs: outlet.askTimeoutMs,
      client: outlet.client,
      ask: (method) => Promise.reject(new McpError('unsupported', `${method} cannot be asked without a connection`)),
      notify: (method, params) => (this.#record === undefined ? outlet.notify(method, params, request) : undefined),
    }
  }
}
