import { isObject } from '../read-params.ts'
import type { Entry } from './entry.ts'

const maxRemembered = 10_000
const relatedTask = 'io.modelcontextprotocol/related-task'
const subscriptionId = 'io.modelcontextprotocol/subscriptionId'

/** Requests during which a server may ask and report. */
const calls: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
  'tasks/result',
])

/** Finds a request that waits for its answer, by who asked and its id. */
type FindOpen = (asker: 'client' | 'server', id: unknown) => Entry | undefined

type Members = { readonly [name: string]: unknown }

/**
 * Finds the request that a message belongs to: the call that it reports about, was asked during, or is another round of.
 * The memory for that is bounded; a message that comes too late belongs to nothing.
 */
export class Belonging {
  readonly #tokens = new Map<string, number>()
  readonly #rounds = new Map<string, number>()
  readonly #tasks = new Map<string, number>()
  readonly #openCalls = new Map<string, Set<number>>()

  parentOf(entry: Entry, message: unknown, during: string | number | undefined, open: FindOpen): number | undefined {
    if (entry.kind !== 'request' && entry.kind !== 'notification') return undefined
    const params = paramsOf(message)
    const other = entry.from === 'client' ? 'server' : 'client'
    const meta = metaOf(params)
    const stream = meta[subscriptionId] ?? during
    return (
      this.#reported(entry, other, params.progressToken) ??
      this.#ofTask(entry, taskIn(params, meta)) ??
      this.#roundOf(entry, params) ??
      this.#withdrawn(entry, params, open)?.id ??
      (stream === undefined ? undefined : open(other, stream)?.id) ??
      this.#onlyCall(entry)
    )
  }

  /** A request goes out: later messages may belong to it. */
  asked(entry: Entry, message: unknown): void {
    const token = metaOf(paramsOf(message)).progressToken
    if (token !== undefined) remember(this.#tokens, `${scopeOf(entry)} ${entry.from} ${String(token)}`, entry.id)
    if (entry.from !== 'client' || !calls.has(entry.method)) return
    const open = this.#openCalls.get(scopeOf(entry)) ?? new Set()
    this.#openCalls.set(scopeOf(entry), open.add(entry.id))
  }

  /** It was answered: with a question that another round answers, perhaps, or with a task. */
  answered(request: Entry, message: unknown): void {
    this.ended(request)
    const result = isObject(message) && isObject(message.result) ? message.result : {}
    const first = request.parent ?? request.id
    if (request.status === 'asks') remember(this.#rounds, roundKey(request, result.requestState), first)
    const task = isObject(result.task) ? result.task.taskId : result.taskId
    if (typeof task === 'string' && calls.has(request.method)) {
      remember(this.#tasks, `${scopeOf(request)} ${task}`, first)
    }
  }

  /** Nothing is asked during it any more. */
  ended(request: Entry): void {
    const open = this.#openCalls.get(scopeOf(request))
    if (open?.delete(request.id) && open.size === 0) this.#openCalls.delete(scopeOf(request))
  }

  clear(): void {
    for (const map of [this.#tokens, this.#rounds, this.#tasks, this.#openCalls]) map.clear()
  }

  #reported(entry: Entry, asker: string, token: unknown): number | undefined {
    return token === undefined ? undefined : this.#tokens.get(`${scopeOf(entry)} ${asker} ${String(token)}`)
  }

  #ofTask(entry: Entry, task: unknown): number | undefined {
    return task === undefined ? undefined : this.#tasks.get(`${scopeOf(entry)} ${String(task)}`)
  }

  /** From 2026-07-28 on a request that was answered with a question is made again, with the answers and the server's state. */
  #roundOf(entry: Entry, { inputResponses, requestState }: Members): number | undefined {
    if (entry.kind !== 'request' || (inputResponses === undefined && requestState === undefined)) return undefined
    return this.#rounds.get(roundKey(entry, requestState))
  }

  #withdrawn({ method, from }: Entry, { requestId }: Members, open: FindOpen): Entry | undefined {
    return method === 'notifications/cancelled' ? open(from, requestId) : undefined
  }

  /** Over pipes and sockets a server does not say why it asks or logs; where only one call is open, it is that one. */
  #onlyCall(entry: Entry): number | undefined {
    const isAbout = entry.kind === 'request' ? entry.method !== 'ping' : entry.method === 'notifications/message'
    if (entry.from !== 'server' || !isAbout || this.#openCalls.size === 0) return undefined
    const open = this.#openCalls.get(scopeOf(entry))
    return open?.size === 1 ? open.values().next().value : undefined
  }
}

const scopeOf = ({ server, connection }: Entry): string => `${server} ${connection}`

const roundKey = (entry: Entry, state: unknown): string =>
  `${scopeOf(entry)} ${entry.method} ${entry.name} ${typeof state === 'string' ? state : ''}`

function remember(map: Map<string, number>, key: string, id: number): void {
  map.set(key, id)
  if (map.size > maxRemembered) map.delete(map.keys().next().value!)
}

const none: Members = {}

const paramsOf = (message: unknown): Members => (isObject(message) && isObject(message.params) ? message.params : none)

const metaOf = ({ _meta }: Members): Members => (isObject(_meta) ? _meta : none)

function taskIn(params: Members, meta: Members): unknown {
  const related = meta[relatedTask]
  return isObject(related) ? related.taskId : params.taskId
}

const traceParent = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/

/** The trace that a message is part of, where it says so. */
export function traceIn(message: unknown): string | undefined {
  const { traceparent } = metaOf(paramsOf(message))
  return typeof traceparent === 'string' ? traceParent.exec(traceparent)?.[1] : undefined
}
