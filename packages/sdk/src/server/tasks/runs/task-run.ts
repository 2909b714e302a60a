import { McpError } from '../../../errors.ts'
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
import { toWireError } from '../../dispatch/wire-error.ts'
import { answerToolsCall } from '../../features/call-tool.ts'
import type { Memory } from '../../questions/memory.ts'
import { Round, startRound } from '../../questions/round.ts'
import type { TaskOutcome } from '../store/task-record.ts'
import type { TaskRecord } from '../store/task-store.ts'
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

  async #run(): Promise<TaskOutcome> {
    const { definition } = this.#tasks
    const record = this.#record
    const caller = callerFor(record, this.#origin?.caller.connection)
    const call = new ServerCall(
      this.#request,
      caller,
      outletFor(record, this.#origin, caller, () => this.#over),
    )
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
    call.task = { id: record.id, start: async () => {}, status: (message) => this.#line.say(message) }
    try {
      return { result: await round.finish(answerToolsCall(call, definition, params)), memory }
    } catch (thrown) {
      return { error: toWireError(thrown, (cause) => definition.report(cause, 'tools/call')) }
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

/** Where reports of a task go: to the session that it runs for, if the revision has such reports. */
function outletFor(
  { id }: TaskRecord,
  origin: TaskOrigin | undefined,
  caller: CallerState,
  isOver: () => boolean,
): Outlet {
  const reports = origin !== undefined && caller.codec.tasks?.reportsProgress === true
  if (reports) caller.logLevel = origin.caller.logLevel
  return {
    askTimeoutMs: 0,
    client: origin?.outlet.client ?? caller,
    ask: (method) => Promise.reject(new McpError('unsupported', `${method} cannot be asked by a task`)),
    notify(method, params) {
      if (!reports || isOver() || isOldProgress(origin, method, params)) return
      return tell(origin.outlet, method, tagWithTask(params, id))
    },
  }
}

function isOldProgress(origin: TaskOrigin, method: string, { progress }: JsonObject): boolean {
  if (method !== 'notifications/progress') return false
  if ((progress as number) <= (origin.progress ?? Number.NEGATIVE_INFINITY)) return true
  origin.progress = progress as number
  return false
}

/** A session that has ended is no reason for a task to fail. */
async function tell(outlet: Outlet, method: string, params: JsonObject): Promise<void> {
  try {
    await outlet.notify(method, params)
  } catch {
    // No client is left.
  }
}

/** Messages about a task say so, in 2025-11-25. */
export function tagWithTask(message: JsonObject, taskId: string): JsonObject {
  return { ...message, _meta: { ...(message._meta as JsonObject | undefined), [metaKeys.relatedTask]: { taskId } } }
}
