import { McpError, type RpcError } from '../../errors.ts'
import { afterMicrotasks } from '../../internal/event-loop.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { canonicalJson, printOf } from './canonical-json.ts'
import type { AskedQuestion, Memory } from './memory.ts'
import { type KeepSteps, OnceSteps } from './once-steps.ts'
import { Interrupted, type Round, Suspension } from './round.ts'

/** A question of a handler to the client. */
interface HandlerQuestion {
  method: string
  /** In the model's words. */
  params: JsonObject
  /** As they travel: members that do not travel do not make a question another one. */
  encoded: JsonObject
  /** The handler's name for it. Otherwise questions are counted. */
  key?: string | undefined
}

type Responses = { readonly [key: string]: JsonObject }

interface Entry {
  print: string | undefined
  label: string
  answer: JsonObject | undefined
  used: boolean
}

interface Pending {
  key: string
  print: string
  question: HandlerQuestion
  reject(reason: Suspension): void
}

/** Its stack is never read, and costs more than all the rest of it. */
function suspend(): Suspension {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return new Suspension()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** A handler that asks in a loop and catches everything must not keep the process busy for ever. */
const maxLateQuestions = 100
const labelLength = 80
/** How long the answer waits for a handler to clean up after its questions went out. */
const cleanUpMs = 100
/** How long a question that was answered may take to be asked again, while others wait. */
const stragglerMs = 1_000

/**
 * The questions of one round. One whose answer came with the request answers itself; the others end the round. Nothing is
 * kept: the next round gets everything from `Memory`.
 */
export class Replay {
  readonly #round: Round
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #remembered: Memory['steps'] | undefined
  readonly #save: (memory: Memory) => Promise<string>
  readonly #keepSteps: KeepSteps | undefined
  readonly #pending: Pending[] = []
  readonly #keys = new Set<string>()
  #madeSteps: OnceSteps | undefined
  #count = 0
  #late = 0
  #patience: ReturnType<typeof setTimeout> | undefined

  constructor(round: Round, responses: Responses, save: (memory: Memory) => Promise<string>, keepSteps?: KeepSteps) {
    this.#round = round
    this.#remembered = round.memory?.steps
    this.#save = save
    this.#keepSteps = keepSteps
    this.#entries = entriesOf(round.memory, responses)
  }

  get #steps(): OnceSteps {
    this.#madeSteps ??= new OnceSteps(this.#remembered, this.#keepSteps)
    return this.#madeSteps
  }

  /** The steps that are done so far. */
  get steps(): Memory['steps'] {
    return this.#madeSteps?.done ?? this.#remembered ?? []
  }

  /** The answer to a question, if it is known; otherwise the run ends when the handler has asked all it can ask now. */
  ask(question: HandlerQuestion): Promise<JsonObject> {
    if (this.#round.isOver) return this.#tooLate()
    const print = printOf(`${question.method} ${canonicalJson(question.encoded)}`)
    const key = this.#keyOf(question.key, print)
    this.#keys.add(key)
    const entry = this.#entries.get(key)
    if (entry?.answer !== undefined && (entry.print ?? print) === print) {
      Object.assign(entry, { print, label: labelOf(question), used: true })
      if (this.#pending.length > 0) this.#stopSoon()
      return Promise.resolve(entry.answer)
    }
    return new Promise((_resolve, reject) => {
      this.#pending.push({ key, print, question, reject })
      if (this.#pending.length === 1) this.#stopSoon()
    })
  }

  async once<T>(key: string, run: () => MaybePromise<T>): Promise<T> {
    // A result that comes now could not be remembered.
    if (this.#round.isOver) return this.#tooLate()
    return this.#steps.once(key, run)
  }

  /** Ends the run with an error that the handler cannot keep from the client. */
  refuse(error: RpcError): never {
    if (!this.#round.isOver) this.#stop(Promise.reject(error))
    throw error
  }

  /** The round came to an end by itself. */
  stopWaiting(): void {
    if (this.#patience !== undefined) clearTimeout(this.#patience)
  }

  /** A result that asks, with everything that the next run has to know. */
  async asking(requests: JsonObject | undefined, own?: unknown): Promise<Interrupted> {
    const memory = this.#memory(own)
    const isEmpty = memory.asked.length === 0 && memory.steps.length === 0 && own === undefined
    return new Interrupted({
      resultType: 'input_required',
      ...(requests && { inputRequests: requests }),
      // Without requests, the state makes the client come back.
      ...(!(isEmpty && requests) && { requestState: await this.#save(memory) }),
    })
  }

  /** The key of a question: the same as in earlier runs, even if questions that raced come in another order. */
  #keyOf(given: string | undefined, print: string): string {
    const taken = this.#keys
    const counted = String(++this.#count)
    if (given !== undefined) {
      if (!taken.has(given)) return given
      throw new McpError(
        'invalid_argument',
        `Two questions of one request have the same key ${JSON.stringify(given)}: keys have to differ`,
      )
    }
    const isFree = (key: string): boolean => !taken.has(key)
    if (isFree(counted) && this.#mayBe(counted, print)) return counted
    for (const [key, entry] of this.#entries) if (isFree(key) && entry.print === print) return key
    let next = this.#count
    while (!isFree(String(next)) || this.#entries.has(String(next))) next++
    return String(next)
  }

  #mayBe(key: string, print: string): boolean {
    const entry = this.#entries.get(key)
    return entry === undefined || entry.print === undefined || entry.print === print
  }

  #tooLate(): Promise<never> {
    return ++this.#late > maxLateQuestions ? new Promise(() => {}) : Promise.reject(suspend())
  }

  /** All questions that the handler asks before it waits for something else go out with the same result. */
  #stopSoon(): void {
    afterMicrotasks(() => {
      if (this.#round.isOver) return
      if (this.#leftOver() === undefined) this.#stop(this.#conclude())
      // Questions race: the one that was answered may be about to be asked.
      else this.#patience ??= setTimeout(() => this.#round.isOver || this.#stop(this.#conclude()), stragglerMs)
    })
  }

  #stop(outcome: Promise<Interrupted>): void {
    this.#round.stop(outcome)
    for (const { reject } of this.#pending) reject(suspend())
  }

  async #conclude(): Promise<Interrupted> {
    // Steps may themselves wait for a question, so they are waited for after the questions were rejected.
    await new Promise<void>(afterMicrotasks)
    if (this.#madeSteps !== undefined) await this.#madeSteps.settled()
    if (!this.#round.isSettled) await this.#cleanedUp()
    this.#checkSame()
    const requests = this.#pending.map(({ key, question: { method, params } }) => [key, { method, params }] as const)
    return this.asking(Object.fromEntries(requests))
  }

  /** Resources that a handler releases in `finally` are released before its request ends, unless that takes long. */
  async #cleanedUp(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const enough = new Promise((resolve) => {
      timer = setTimeout(resolve, cleanUpMs)
    })
    await Promise.race([this.#round.settled(), enough])
    clearTimeout(timer)
  }

  #memory(own: unknown): Memory {
    const answered = [...this.#entries].filter(([, entry]) => entry.used)
    return {
      asked: [
        ...answered.map(([key, { print, label, answer }]): AskedQuestion => [key, print!, label, answer!]),
        ...this.#pending.map(({ key, print, question }): AskedQuestion => [key, print, labelOf(question)]),
      ],
      steps: this.steps,
      ...(own !== undefined && { own }),
    }
  }

  /** A question that was answered and that this run did not ask. */
  #leftOver(): Entry | undefined {
    const entries = [...this.#entries.values()]
    return entries.find(({ print, answer, used }) => print !== undefined && answer !== undefined && !used)
  }

  /** New questions while old answers are left over: the handler took another way than the one that was answered. */
  #checkSame(): void {
    const before = this.#leftOver()
    if (before === undefined) return
    const now = this.#pending.map(({ question }) => labelOf(question)).join(', ')
    throw new McpError(
      'invalid_argument',
      `The handler asks differently than before: the client answered ${before.label}, and now it is asked ${now}${now === before.label ? ' with other params' : ''}. A handler runs again for every answer, so what it asks must not depend on time, chance or changing data; get those in ctx.once`,
    )
  }
}

const noEntries: ReadonlyMap<string, Entry> = new Map()

function entriesOf(memory: Memory | undefined, responses: Responses): ReadonlyMap<string, Entry> {
  if (memory !== undefined) {
    return new Map(
      memory.asked.map(([key, print, label, known]) => {
        const answer = known ?? (Object.hasOwn(responses, key) ? responses[key] : undefined)
        return [key, { print, label, answer, used: false }]
      }),
    )
  }
  const given = Object.entries(responses)
  if (given.length === 0) return noEntries
  // The questions are unknown, so an answer belongs to the question with its key.
  return new Map(given.map(([key, answer]) => [key, { print: undefined, label: '', answer, used: false }]))
}

/** A question as an operator recognises it. */
function labelOf({ method, params }: HandlerQuestion): string {
  const said = typeof params.message === 'string' ? params.message : canonicalJson(params)
  return `${method} ${JSON.stringify(said.length > labelLength ? `${said.slice(0, labelLength)}…` : said)}`
}
