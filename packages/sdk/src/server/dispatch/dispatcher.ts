import { ErrorCode, RpcError } from '../../errors.ts'
import { heapBytesOf } from '../../heap-size.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { PeerOptions } from '../../jsonrpc/peer-options.ts'
import type { ServerCapabilities } from '../../model/capabilities.ts'
import type { LoggingLevel } from '../../model/logging.ts'
import type { Soon } from '../../soon.ts'
import { isWatched } from '../../telemetry/watch.ts'
import type { Codec } from '../../wire/codec.ts'
import { serverInfoMeta, withServerInfo } from '../../wire/server-info.ts'
import type { Definition } from '../definition/definition.ts'
import { answerExtension } from '../definition/extension-methods.ts'
import { answerToolsCall } from '../features/call-tool.ts'
import { lazyHandlers } from '../features/lazy-handlers.ts'
import { ListCache, listKinds } from '../features/lists.ts'
import { lazyQuestions } from '../questions/lazy-questions.ts'
import { startRound } from '../questions/round.ts'
import { answerListen } from '../subscriptions/listen.ts'
import { callAsTask } from '../tasks/call-as-task.ts'
import { loadTasks } from '../tasks/lazy-tasks.ts'
import type { Call } from './call.ts'
import { watchCall } from './request-telemetry.ts'
import { isForPeer } from './wire-error.ts'

type Handler = (call: Call, definition: Definition, params: JsonObject) => Soon<JsonObject>

const setLevel: Handler = (call, _definition, params) => {
  call.caller.logLevel = params.level as LoggingLevel
  return {}
}

const discover: Handler = (_call, definition) => ({
  supportedVersions: definition.revisions.toReversed(),
  capabilities: definition.capabilities(),
  ...(definition.instructions !== undefined && { instructions: definition.instructions }),
  // Everybody is told the same, so this may be public.
  ...definition.cache.discover,
})

interface Row {
  /** What the server must have to answer the method. */
  needs?: keyof ServerCapabilities | 'tasks'
  /** True if its handlers may ask the client. */
  asks?: boolean
  /** True if it may be answered with a task. */
  becomesTask?: boolean
  run: Handler
}

/** A handler that is loaded with the first request for what the server has beside tools. */
const lazily =
  (
    name: 'answerResourcesRead' | 'answerSubscribe' | 'answerUnsubscribe' | 'answerPromptsGet' | 'answerComplete',
  ): Handler =>
  (call, definition, params) =>
    lazyHandlers((handlers) => handlers[name](call, definition, params))

const rows: ReadonlyMap<string, Row> = new Map<string, Row>([
  ['ping', { run: () => ({}) }],
  ['server/discover', { run: discover }],
  ['tools/call', { needs: 'tools', asks: true, becomesTask: true, run: answerToolsCall }],
  ['resources/read', { needs: 'resources', asks: true, run: lazily('answerResourcesRead') }],
  ['resources/subscribe', { needs: 'resources', run: lazily('answerSubscribe') }],
  ['resources/unsubscribe', { needs: 'resources', run: lazily('answerUnsubscribe') }],
  ['subscriptions/listen', { run: answerListen }],
  ['prompts/get', { needs: 'prompts', asks: true, run: lazily('answerPromptsGet') }],
  ['completion/complete', { needs: 'completions', run: lazily('answerComplete') }],
  ['tasks/get', { needs: 'tasks', run: async (...given) => (await loadTasks()).answerTasksGet(...given) }],
  ['tasks/result', { needs: 'tasks', run: async (...given) => (await loadTasks()).answerTasksResult(...given) }],
  ['tasks/list', { needs: 'tasks', run: async (...given) => (await loadTasks()).answerTasksList(...given) }],
  ['tasks/update', { needs: 'tasks', run: async (...given) => (await loadTasks()).answerTasksUpdate(...given) }],
  ['tasks/cancel', { needs: 'tasks', run: async (...given) => (await loadTasks()).answerTasksCancel(...given) }],
  ['logging/setLevel', { needs: 'logging', run: setLevel }],
])

/** What a call takes besides its params. */
const callBytes = 512

/** A server that is busy is not dead. */
const urgent: ReadonlySet<string> = new Set(['ping'])

/** Answers requests for one definition: decodes, runs, encodes. Shared by all connections. */
export class Dispatcher {
  readonly definition: Definition
  /** The bounds of every connection. */
  readonly peerOptions: PeerOptions
  readonly #lists: ListCache
  /** What results say about who answered: discovery introduces the server, after that its name is enough. */
  readonly #introduction: Readonly<JsonObject>
  readonly #name: Readonly<JsonObject>
  /** True until the tasks that others left behind were looked for. */
  #asleep: boolean

  constructor(definition: Definition) {
    this.definition = definition
    this.peerOptions = { ...definition.options.limits, urgent }
    this.#lists = new ListCache(definition)
    const { info } = definition
    this.#introduction = serverInfoMeta(info)
    this.#name = serverInfoMeta({ name: info.name, version: info.version })
    this.#asleep = definition.options.tasks?.store !== undefined
  }

  /** A promise only if the handler takes time. What is wrong may be thrown, too. */
  answer(call: Call): Soon<JsonObject> {
    if (this.#asleep) this.#wake()
    const { budget } = this.definition
    if (budget.isFull('calls') && !urgent.has(call.request.method)) throw budget.usedUp('calls')
    const answer = isWatched('server.request') ? this.#watched(call) : this.#respond(call)
    return answer instanceof Promise && !call.request.standing ? this.#hold(call, answer) : answer
  }

  /** Counts what a call keeps until its handler is done. One that stands open is counted by whoever keeps it open. */
  #hold({ request }: Call, answer: Promise<JsonObject>): Promise<JsonObject> {
    const hold = this.definition.budget.charge('calls', callBytes + heapBytesOf(request.params))
    const release = (): void => hold.release()
    answer.then(release, release)
    return answer
  }

  /** Apart, because a function that makes closures costs something even if it does not make them. */
  #watched(call: Call): Promise<JsonObject> {
    return watchCall(call, () => this.#respond(call))
  }

  #respond(call: Call): Soon<JsonObject> {
    try {
      const answer = this.#answer(call)
      return answer instanceof Promise ? orSaidError(answer, call.caller.codec) : answer
    } catch (error) {
      throw sayError(error, call.caller.codec)
    }
  }

  #wake(): void {
    this.#asleep = false
    const { definition } = this
    loadTasks()
      .then(({ tasksOf }) => tasksOf(definition).resume())
      .catch((error: unknown) => definition.report(error, 'tasks'))
  }

  #answer(call: Call): Soon<JsonObject> {
    const { backend } = this.definition.options
    if (backend !== undefined) return backend.answer(call, this.definition)
    const { codec } = call.caller
    const { method } = call.request
    if (!codec.requests.client.has(method)) return this.#answerExtension(call)
    const row = rows.get(method)
    if (row !== undefined) {
      this.#need(method, row.needs)
      const params = codec.decodeParams(method, call.request.params)
      const task = row.becomesTask && params.task !== undefined && callAsTask(call, this.definition, params)
      const result = task ? this.#runUnlessTask(task, row, call, params) : this.#run(row, call, params)
      return result instanceof Promise ? this.#encodeLater(codec, method, result) : this.#encode(codec, method, result)
    }
    const list = listKinds.get(method)
    if (list === undefined) throw methodNotFound(method, 'this server does not have it')
    this.#need(method, list.needs)
    const params = codec.decodeParams(method, call.request.params)
    return this.#lists.page(list, call, params, (result) => this.#encode(codec, method, result))
  }

  async #answerExtension(call: Call): Promise<JsonObject> {
    const { codec } = call.caller
    const { method } = call.request
    const found = this.definition.extensionMethod(method)
    if (found === undefined) throw methodNotFound(method, `revision ${codec.revision} has no such method`)
    return this.#encode(codec, method, await answerExtension(call, found.definition, found.method))
  }

  async #runUnlessTask(
    task: Promise<JsonObject | undefined>,
    row: Row,
    call: Call,
    params: JsonObject,
  ): Promise<JsonObject> {
    return (await task) ?? this.#run(row, call, params)
  }

  /** Where there is no handshake the server cannot ask: a handler that has to ask is run again with the answers. */
  #run(row: Row, call: Call, params: JsonObject): Soon<JsonObject> {
    if (!row.asks || call.caller.codec.handshake) return row.run(call, this.definition, params)
    if (typeof params.requestState === 'string') return this.#resume(row, call, params)
    return startRound(call, this.definition, params).finish(row.run(call, this.definition, params))
  }

  #resume(row: Row, call: Call, params: JsonObject): Promise<JsonObject> {
    const { definition } = this
    return lazyQuestions(({ withRequestState }) =>
      withRequestState(call, definition, params, async ({ memory }) =>
        startRound(call, definition, params, memory).finish(row.run(call, definition, params)),
      ),
    )
  }

  async #encodeLater(codec: Codec, method: string, result: Promise<JsonObject>): Promise<JsonObject> {
    return this.#encode(codec, method, await result)
  }

  /** Where there is no handshake, every result says who sent it. */
  #encode(codec: Codec, method: string, result: JsonObject): JsonObject {
    if (codec.handshake) return codec.encodeResult(method, result)
    const who = method === 'server/discover' ? this.#introduction : this.#name
    return codec.encodeResult(method, withServerInfo(result, who))
  }

  #need(method: string, capability: Row['needs']): void {
    if (capability === undefined || this.#has(capability)) return
    throw methodNotFound(method, `this server does not offer ${capability}`)
  }

  #has(capability: NonNullable<Row['needs']>): boolean {
    const { definition } = this
    switch (capability) {
      case 'tools':
      case 'resources':
      case 'prompts':
        return definition.offers(capability)
      case 'tasks':
        return definition.offersTasks
      case 'completions':
        return definition.completes
      default:
        return definition.logs
    }
  }
}

async function orSaidError(answer: Promise<JsonObject>, codec: Codec): Promise<JsonObject> {
  try {
    return await answer
  } catch (error) {
    throw sayError(error, codec)
  }
}

/** An error with the code that the revision has for it. */
function sayError(error: unknown, codec: Codec): unknown {
  if (!isForPeer(error)) return error
  const code = codec.errorCode(error.code)
  if (code === error.code) return error
  const { message, data } = error
  return new RpcError(code, message, data, { cause: error })
}

export const methodNotFound = (method: string, why: string): RpcError =>
  new RpcError(ErrorCode.MethodNotFound, `Method not found: ${method} (${why})`)
