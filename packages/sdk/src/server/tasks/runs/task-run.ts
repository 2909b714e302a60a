import { isToolError, McpError } from '../../../errors.ts'
import type { Sink } from '../../../jsonrpc/channel.ts'
import { IncomingRequest } from '../../../jsonrpc/incoming.ts'
import type { JsonObject } from '../../../jsonrpc/message.ts'
import { metaKeys } from '../../../model/meta.ts'
import { codecFor } from '../../../wire/codecs.ts'
import type { ConnectionInfo } from '../../caller.ts'
import { CallerState } from '../../caller-state.ts'
import { serverConversationFor } from '../../conversations.ts'
import type { Outlet } from '../../dispatch/outlet.ts'
import { ServerCall } from '../../dispatch/server-call.ts'
import { isForPeer, toWireError } from '../../dispatch/wire-error.ts'
import { answerToolsCall } from '../../features/call-tool.ts'
import type { Memory } from '../../questions/memory.ts'
import { Round, startRound } from '../../questions/round.ts'
import type { TaskOutcome } from '../store/task-record.ts'
import type { TaskRecord } from '../store/task-store.ts'
import { hasFault } from '../task-handle.ts'
import type { TaskReport } from '../task-report.ts'
import { StatusWriter } from './status-writer.ts'
import type { TaskKeeper, TaskOrigin } from './task-keeper.ts'

const nowhere: Sink = { send: () => {} }
const longestPauseMs = 5_000

/** Runs the handler of a task, from the top and with its memory, until it has a result or has to ask. */
export class TaskRun {
  readonly #tasks: TaskKeeper
  readonly #origin: TaskOrigin | undefined
  readonly #request: IncomingRequest
  readonly #line: StatusWriter
  #record: TaskRecord
  /** True once a run has an outcome: anything that its handler left running reports nothing any more. */
  #over = false

  constructor(tasks: TaskKeeper, record: TaskRecord, origin: TaskOrigin | undefined) {
    this.#tasks = tasks
    this.#record = record
    this.#origin = origin
    this.#line = new StatusWriter((message) => tasks.say(record, message))
    const { requestId, params } = record.call
    this.#request = new IncomingRequest({ jsonrpc: '2.0', id: requestId, method: 'tools/call', params }, nowhere)
  }

  async perform(): Promise<void> {
    for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      this.#over = false
      const outcome = await this.#run()
      this.#over = true
      await this.#line.written()
      const again = await this.#tasks.settle(this.#record, outcome)
      if (again === undefined || this.#request.cancelled) return
      this.#record = again
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }

  abort(reason: McpError): void {
    this.#request.cancel(reason)
  }

  /** Where reports of the task go: to the session that it runs for, if the revision has such reports. */
  #outlet(record: TaskRecord, caller: CallerState): Outlet {
    const reports = caller.codec.tasks?.reportsProgress === true
    if (reports) caller.logLevel = this.#origin === undefined ? record.call.logLevel : this.#origin.caller.logLevel
    return {
      askTimeoutMs: 0,
      client: this.#origin?.outlet.client ?? caller,
      ask: (method) => Promise.reject(new McpError('unsupported', `${method} cannot be asked by a task`)),
      notify: (method, params) => {
        if (!reports || this.#over) return
        const report = { method, params: tagWithTask(params, record.id) }
        return this.#origin === undefined ? this.#tasks.pass(record, report) : tellOrigin(this.#origin, report)
      },
    }
  }

  async #run(): Promise<TaskOutcome> {
    const { definition } = this.#tasks
    const record = this.#record
    const caller = callerFor(record, this.#origin?.caller.connection)
    const call = new ServerCall(this.#request, caller, this.#outlet(record, caller))
    let memory: Memory | undefined
    const keeper = {
      save: async (next: Memory) => {
        memory = next
        return ''
      },
      keepSteps: (steps: Memory['steps']) => this.#tasks.keepSteps(record, steps),
    }
    const { params } = record.call
    const round = startRound(call, new Round(definition, params, record.memory, keeper), record.answers ?? {})
    const task = { id: record.id, start: async () => {}, status: (message: string) => this.#line.say(message) }
    call.task = task
    try {
      const result = await round.finish(answerToolsCall(call, definition, params))
      return { result, memory, fault: hasFault(task) }
    } catch (thrown) {
      const error = toWireError(thrown, (cause) => definition.report(cause, 'tools/call'))
      return { error, fault: !isForPeer(thrown) && !isToolError(thrown) }
    } finally {
      caller.dispose((error) => definition.report(error, 'context'))
    }
  }
}

/**
 * The caller of a task, with contexts of its own: a task outlives the request and the connection that it came on. Its
 * authority is that of the call, not of the client that answers its questions.
 */
function callerFor({ call }: TaskRecord, connection: ConnectionInfo | undefined): CallerState {
  const { revision, client, capabilities, transport, auth } = call
  const codec = codecFor(revision)
  return new CallerState(
    codec,
    serverConversationFor(codec),
    { client, capabilities },
    connection ?? { transport },
    auth,
  )
}

/** Tells the client of a task how far it is. A session that has ended is no reason for a task to fail. */
export async function tellOrigin(origin: TaskOrigin, { method, params }: TaskReport): Promise<void> {
  if (method === 'notifications/progress' && isOldProgress(origin, params.progress as number)) return
  try {
    await origin.outlet.notify(method, params)
  } catch {
    // No client is left.
  }
}

function isOldProgress(origin: TaskOrigin, progress: number): boolean {
  if (progress <= (origin.progress ?? Number.NEGATIVE_INFINITY)) return true
  origin.progress = progress
  return false
}

/** Messages about a task say so, in 2025-11-25. */
export function tagWithTask(message: JsonObject, taskId: string): JsonObject {
  return { ...message, _meta: { ...(message._meta as JsonObject | undefined), [metaKeys.relatedTask]: { taskId } } }
}
