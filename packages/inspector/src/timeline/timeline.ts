import type { Payload, RefusedInput } from '@tenon/sdk/client'
import type { RowStatus, TimelineLanes, TimelinePage, TimelineRange } from '../protocol.ts'
import { Belonging, traceIn } from './belonging.ts'
import { type Entry, toRow } from './entry.ts'
import { type HttpExchange, type HttpStep, statusOfExchange, withStep } from './http-steps.ts'
import { barsIn, type LaneView } from './lane-window.ts'
import { type Lanes, layOut } from './lanes.ts'
import { Matches } from './matches.ts'
import { OpenRequests } from './open-requests.ts'
import { Polls } from './polls.ts'
import { parseQuery, type Query, type QueryContext } from './query.ts'
import {
  asksForInput,
  cancellation,
  faultOf,
  isRpcId,
  isToolError,
  maxName,
  messagesIn,
  readMessage,
} from './read-message.ts'
import { summaryOf } from './summary.ts'

/** A message on its way. */
interface Traffic {
  server: string
  connection: number
  from: 'client' | 'server'
  at: number
  payload: Payload
  /** The JSON that it was read from. */
  text?: string
  /** The request of the other side on whose stream it came. */
  during?: string | number
}

/** A request that stays without an answer. */
export interface Unanswered extends Omit<Traffic, 'payload' | 'text' | 'during'> {
  id: string | number
  status: 'cancelled' | 'lost' | 'refused' | 'error'
  /** Why, in words. */
  reason?: string
  /** The input that came in place of an answer. */
  input?: RefusedInput
}

export interface TimelineLimits {
  maxMessages?: number
  /** Characters of JSON in all. */
  maxCharacters?: number
}

interface QueryOptions {
  /** A row whose place is asked for. */
  find?: number | undefined
  isFolded?: boolean
}

const keptQueries = 8
const maxReason = 500

/** Every message of every server, up to a bound; the oldest go first. */
export class Timeline {
  readonly #context: Omit<QueryContext, 'entry'>
  readonly #maxMessages: number
  readonly #maxCharacters: number
  readonly #onChange: () => void
  /** Entry `id` is at `id - #first + #start`; entries before `#start` are gone. */
  #entries: (Entry | undefined)[] = []
  #start = 0
  #first = 1
  #characters = 0
  /** Requests over HTTP that have not ended. */
  readonly #http = new Map<string, { entry: Entry; exchange: HttpExchange }>()
  readonly #open = new OpenRequests()
  readonly #belonging = new Belonging()
  readonly #polls = new Polls((id) => id >= this.#first)
  readonly #queries = new Map<string, Matches>()
  /** The lanes that were looked at last, until something happens. */
  #lanes: { text: string; lanes: Lanes } | undefined

  constructor(context: Omit<QueryContext, 'entry'>, onChange: () => void, limits: TimelineLimits = {}) {
    this.#context = context
    this.#onChange = () => {
      this.#lanes = undefined
      onChange()
    }
    this.#maxMessages = limits.maxMessages ?? 100_000
    this.#maxCharacters = limits.maxCharacters ?? 256 * 1024 * 1024
  }

  get range(): TimelineRange {
    return { first: this.#first, next: this.#next }
  }

  get #next(): number {
    return this.#first + this.#entries.length - this.#start
  }

  /** Adds a message, or the messages of a batch; returns the id of the first. */
  add(traffic: Traffic): number {
    const first = this.#next
    const messages = messagesIn(traffic.payload)
    // A batch has one text for all of its messages.
    const text = messages.length === 1 && !Array.isArray(traffic.payload) ? traffic.text : undefined
    for (const message of messages) this.#addMessage(traffic, message, text)
    this.#onChange()
    return first
  }

  /** A request of `from` stays without an answer, for a reason that its sender knows. */
  unanswered({ server, connection, from, at, id, status, reason, input }: Unanswered): void {
    const request = this.#open.find({ server, connection }, from, id)
    if (request === undefined) return
    if (input !== undefined) {
      const refusal = { id, kind: 'response', message: reason }
      this.addRefusal({ server, connection, from: otherSide(from), at, refusal, input })
      return
    }
    this.#open.delete(request)
    if (request.status === 'pending') this.#settle(request, status, at, reason)
    this.#onChange()
  }

  /** The answer to a request was not accepted, for a reason that only its asker knows. */
  notAccepted(id: number, reason: string): void {
    const request = this.get(id)
    if (request?.pair === undefined || request.status === 'refused') return
    for (const entry of [request, this.get(request.pair)]) {
      if (entry === undefined) continue
      entry.status = 'refused'
      entry.reason = reason.slice(0, maxReason)
      this.#changed([entry])
    }
    this.#onChange()
  }

  /** Adds a text that is no message: a line of standard error, or a note. */
  addText({
    server,
    connection,
    at,
    kind,
    text,
  }: Omit<Traffic, 'payload' | 'from'> & { kind: 'stderr' | 'note'; text: string }): void {
    const from = kind === 'stderr' ? 'server' : 'client'
    const blank = this.#blank({ server, connection, from, at })
    this.#push({ ...blank, kind, method: '', name: text.slice(0, 200), text: JSON.stringify(text) })
    this.#onChange()
  }

  /** Adds input that never became a message, such as a line that is no JSON. An answer among it ends its request. */
  addRefusal(refused: Omit<Traffic, 'payload' | 'text'> & { refusal: object; input?: RefusedInput }): void {
    const { server, connection, from, at, refusal, input } = refused
    const { id, kind, message } = refusal as { id?: unknown; kind?: unknown; message?: unknown }
    const reason = typeof message === 'string' ? message : undefined
    const blank = this.#blank({ server, connection, from, at })
    const text = JSON.stringify({ ...refusal, ...(input && { input }) })
    const entry: Entry = { ...blank, kind: 'refused', method: '', status: 'error', text }
    this.#push(entry)
    const request = kind === 'response' && isRpcId(id) ? this.#open.find(entry, otherSide(from), id) : undefined
    if (request !== undefined) this.#join(request, entry, 'refused', reason)
    this.#onChange()
  }

  /** Adds a step of a request over HTTP: all steps of one request are one entry. */
  addHttp({ server, connection, step }: Pick<Traffic, 'server' | 'connection'> & { step: HttpStep }): void {
    const key = `${server} ${connection} ${step.id}`
    const known = this.#http.get(key)
    const entry = known?.entry ?? this.#httpEntry(server, connection, step)
    const exchange = withStep(known?.exchange, step, entry.at)
    const text = JSON.stringify(exchange)
    if (entry.id >= this.#first) this.#characters += text.length - entry.text.length
    entry.text = text
    entry.status = statusOfExchange(exchange)
    if (exchange.reply !== undefined) entry.summary = String(exchange.reply.status)
    if (step.phase !== 'request') entry.durationMs = step.at - entry.at
    if (step.phase === 'end' || step.phase === 'failed') this.#http.delete(key)
    else this.#http.set(key, { entry, exchange })
    if (known !== undefined) this.#changed([entry])
    this.#onChange()
  }

  #httpEntry(server: string, connection: number, { method, url, at, bytes }: HttpStep): Entry {
    const blank = this.#blank({ server, connection, from: 'client', at })
    const names = { method: method.slice(0, maxName), name: url.slice(0, maxName) }
    const entry: Entry = { ...blank, ...names, kind: 'http', text: '' }
    this.#push(entry)
    this.#polls.carried(entry, bytes)
    return entry
  }

  #blank(about: Pick<Entry, 'server' | 'connection' | 'from' | 'at'>): Omit<Entry, 'kind' | 'method' | 'text'> {
    const nothing = { name: undefined, rpcId: undefined, status: undefined, durationMs: undefined }
    return {
      id: this.#next,
      ...about,
      ...nothing,
      pair: undefined,
      parent: undefined,
      trace: undefined,
      reason: undefined,
      summary: undefined,
      fold: undefined,
      repeats: 0,
    }
  }

  #addMessage({ server, connection, from, at, during }: Traffic, message: unknown, came: string | undefined): void {
    const blank = this.#blank({ server, connection, from, at })
    const summary = summaryOf(message)
    const entry: Entry = { ...blank, ...readMessage(message), summary, text: came ?? JSON.stringify(message) ?? 'null' }
    entry.trace = traceIn(message)
    entry.parent = this.#belonging.parentOf(entry, message, during, (asker, id) =>
      isRpcId(id) ? this.#open.find(entry, asker, id) : undefined,
    )
    this.#push(entry)
    const fault = faultOf(message)
    if (entry.kind === 'request') this.#asked(entry, message, fault)
    else if (entry.kind === 'notification') this.#told(entry, message, fault)
    else this.#answered(entry, message, fault)
  }

  #asked(request: Entry, message: unknown, fault: string | undefined): void {
    request.status = 'pending'
    this.#belonging.asked(request, message)
    this.#open.add(request)
    this.#polls.asked(request)
    // The error that it is answered with may still come.
    if (fault !== undefined) this.#settle(request, 'refused', request.at, fault)
  }

  #told(entry: Entry, message: unknown, fault: string | undefined): void {
    if (fault !== undefined) [entry.status, entry.reason] = ['refused', fault]
    if (entry.method !== 'notifications/cancelled') return
    const { id, reason } = cancellation(message)
    const request = id === undefined ? undefined : this.#open.find(entry, entry.from, id)
    if (request?.status === 'pending') this.#settle(request, 'cancelled', entry.at, reason)
  }

  #answered(answer: Entry, message: unknown, fault: string | undefined): void {
    const { rpcId } = answer
    answer.status = fault === undefined ? statusOf(answer, message) : 'refused'
    answer.reason = fault
    const request = rpcId === undefined ? undefined : this.#open.find(answer, otherSide(answer.from), rpcId)
    if (request === undefined) return
    this.#join(request, answer, answer.status, fault)
    this.#changed(this.#polls.answered(request, answer, message))
    if (fault === undefined) this.#belonging.answered(request, message)
  }

  #join(request: Entry, answer: Entry, status: RowStatus, reason?: string): void {
    this.#open.delete(request)
    answer.method = request.method
    answer.name = request.name
    answer.pair = request.id
    answer.trace = request.trace
    answer.durationMs = answer.at - request.at
    request.pair = answer.id
    this.#settle(request, status, answer.at, reason)
  }

  #settle(request: Entry, status: RowStatus, at: number, reason?: string): void {
    this.#belonging.ended(request)
    request.status = status
    request.durationMs = at - request.at
    request.reason = reason?.slice(0, maxReason)
    this.#changed([request, ...(status === 'ok' ? [] : this.#polls.unfold(request))])
  }

  #changed(entries: readonly Entry[]): void {
    for (const matches of this.#queries.values()) for (const entry of entries) matches.changed(entry)
  }

  /** The connection is gone: its open requests stay without an answer. */
  lost(server: string, connection: number, at: number): void {
    for (const request of this.#open.take({ server, connection })) {
      if (request.status === 'pending') this.#settle(request, 'lost', at)
    }
    const prefix = `${server} ${connection} `
    for (const [key, { entry }] of this.#http) {
      if (!key.startsWith(prefix)) continue
      this.#http.delete(key)
      if (entry.status === 'pending') this.#settle(entry, 'lost', at)
    }
    this.#onChange()
  }

  #push(entry: Entry): void {
    this.#entries.push(entry)
    this.#characters += entry.text.length
    while (this.#next - this.#first > this.#maxMessages || this.#characters > this.#maxCharacters) this.#drop()
    if (this.#start < 10_000) return
    this.#entries = this.#entries.slice(this.#start)
    this.#start = 0
  }

  #drop(): void {
    const entry = this.#entries[this.#start]!
    this.#characters -= entry.text.length
    if (entry.kind === 'request' && entry.pair === undefined) this.#forget(entry)
    this.#entries[this.#start++] = undefined
    this.#first++
  }

  #forget(request: Entry): void {
    this.#open.delete(request)
    this.#belonging.ended(request)
  }

  get(id: number): Entry | undefined {
    return id < this.#first ? undefined : this.#entries[id - this.#first + this.#start]
  }

  /** The rows that match from `offset` on, and the place of the row `find`. Folded ones are in the row that stands for them. */
  query(text: string, offset: number, count: number, { find, isFolded = false }: QueryOptions = {}): TimelinePage {
    const matches = this.#matchesOf(text, isFolded)
    const rows = matches.slice(offset, count).flatMap((id) => toRow(this.get(id)!))
    const found = find === undefined ? undefined : (matches.placeOf(find) ?? matches.placeOf(this.get(find)?.fold ?? 0))
    const { problems } = matches.query
    return { rows, total: matches.length, ...(found !== undefined && { found }), range: this.range, problems }
  }

  /** The matching requests, side by side in time. A request is there if it or its answer matches. */
  lanes(text: string, view: Omit<LaneView, 'from' | 'to'> & { from?: number; to?: number }): TimelineLanes {
    if (this.#lanes?.text !== text) {
      const withHttp = /\bkind:\S*http/i.test(text)
      this.#lanes = { text, lanes: layOut(this.all(text), (id) => this.get(id), withHttp) }
    }
    const { lanes } = this.#lanes
    const { groups, total } = lanes
    const begin = groups.length === 0 ? 0 : lanes.begin
    const end = lanes.end === Number.POSITIVE_INFINITY ? Math.max(begin, Date.now()) : lanes.end
    const bars = barsIn(lanes, { ...view, from: view.from ?? begin, to: view.to ?? end })
    return { begin, end, groups, bars, total, problems: this.#matchesOf(text).query.problems }
  }

  /** Everything that matches, oldest first. */
  *all(text: string): Generator<Entry> {
    const matches = this.#matchesOf(text)
    for (const id of matches.slice(0, matches.length)) yield this.get(id)!
  }

  clear(): void {
    this.#first = this.#next
    this.#entries = []
    this.#start = 0
    this.#characters = 0
    this.#open.clear()
    this.#belonging.clear()
    this.#polls.clear()
    this.#http.clear()
    this.#queries.clear()
    this.#onChange()
  }

  /** Names of servers have changed, and with them the meaning of queries. */
  forgetQueries(): void {
    this.#lanes = undefined
    this.#queries.clear()
  }

  #matchesOf(text: string, isFolded = false): Matches {
    const key = `${isFolded ? 'folded' : 'every'} ${text}`
    const matches = this.#queries.get(key) ?? new Matches(this.#parse(text, isFolded))
    matches.catchUp(this.#from(Math.max(matches.seen, this.#first)), this.#first, this.#next)
    this.#queries.delete(key)
    this.#queries.set(key, matches)
    if (this.#queries.size > keptQueries) this.#queries.delete(this.#queries.keys().next().value!)
    return matches
  }

  #parse(text: string, isFolded: boolean): Query {
    const query = parseQuery(text, { ...this.#context, entry: (id: number) => this.get(id) })
    if (!isFolded) return query
    // An entry is hidden only behind one that is shown.
    const isHidden = ({ fold }: Entry): boolean => {
      const head = fold === undefined ? undefined : this.get(fold)
      return head !== undefined && query.matches(head)
    }
    return { ...query, matches: (entry) => query.matches(entry) && !isHidden(entry) }
  }

  *#from(id: number): Generator<Entry> {
    for (let at = id - this.#first + this.#start; at < this.#entries.length; at++) yield this.#entries[at]!
  }
}

/** A server of 2026-07-28 asks with an answer; the request is made again with the input. */
function statusOf({ kind }: Entry, message: unknown): RowStatus {
  if (kind === 'error' || isToolError(message)) return 'error'
  return asksForInput(message) ? 'asks' : 'ok'
}

const otherSide = (side: Entry['from']): Entry['from'] => (side === 'client' ? 'server' : 'client')
