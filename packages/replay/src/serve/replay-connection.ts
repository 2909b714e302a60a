import type { Channel, JsonObject, Message, Payload, Receiver } from '@tenon/sdk/client'
import { McpError } from '@tenon/sdk/client'
import { isObject } from '../json/is-object.ts'
import type { Recording } from './recording.ts'
import type { ReplayNotes } from './replay-notes.ts'
import { rewriteNotification } from './rewrite-notification.ts'
import {
  type AnswerMessage,
  isNotification,
  isRequest,
  type NotificationMessage,
  type RequestMessage,
  type Step,
  staysOpen,
  type Turn,
} from './turns.ts'
import { unknownRequest, unrecordedResult } from './unrecorded-requests.ts'

interface ReplayConnectionOptions {
  /** How often the same request was made before. */
  startAt?: number
  /** How long a step waits, given when it was recorded and when the one before. */
  pause: (sinceMs: number) => number
}

const drainMs = 10_000

/** Answers one client, message by message, as the recorded server did. */
export class ReplayConnection implements Receiver {
  readonly closedReason: Promise<McpError>
  readonly #channel: Channel
  readonly #recording: Recording
  readonly #notes: ReplayNotes
  readonly #options: ReplayConnectionOptions
  readonly #positions = new Map<string, number>()
  readonly #running = new Map<string, { stop: AbortController; done: Promise<void> }>()
  readonly #waiting = new Map<string, (answer: AnswerMessage | undefined) => void>()
  #asked = 0
  #end: (reason: McpError) => void = () => {}

  constructor(channel: Channel, recording: Recording, notes: ReplayNotes, options: ReplayConnectionOptions) {
    this.#channel = channel
    this.#recording = recording
    this.#notes = notes
    this.#options = options
    this.closedReason = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  receive(value: unknown): void {
    for (const message of [value as Payload].flat()) this.#take(message)
  }

  refuse(refusal: { code: number; message: string; id?: string | number }): void {
    const { id, code, message } = refusal
    if (id !== undefined) void this.#send({ jsonrpc: '2.0', id, error: { code, message } })
  }

  closed(reason?: Error): void {
    // The client answers no more requests.
    for (const give of this.#waiting.values()) give(undefined)
    this.#waiting.clear()
    if (reason === undefined && this.#channel.sendsAfterEnd && this.#running.size > 0) void this.#drain()
    else this.#finish(reason)
  }

  /** A client that ended its half of the channel may still read: open requests are finished, within a time limit. */
  async #drain(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const enough = new Promise((resolve) => {
      timer = setTimeout(resolve, drainMs)
    })
    await Promise.race([Promise.all([...this.#running.values()].map(({ done }) => done)), enough])
    clearTimeout(timer)
    this.#finish()
  }

  #finish(reason?: Error): void {
    for (const { stop } of this.#running.values()) stop.abort()
    this.#end(new McpError('closed', reason?.message ?? 'The client is gone', { cause: reason }))
  }

  async close(): Promise<void> {
    this.#finish()
    await this.#channel.close()
  }

  #take(message: Message): void {
    if (!isObject(message)) return
    if (isRequest(message)) void this.#answer(message)
    else if (isNotification(message)) this.#notified(message)
    else {
      const answer = message as AnswerMessage
      this.#waiting.get(String(answer.id))?.(answer)
      this.#waiting.delete(String(answer.id))
    }
  }

  #notified(message: NotificationMessage): void {
    if (message.method === 'notifications/cancelled') this.#running.get(String(message.params?.requestId))?.stop.abort()
    else {
      const turn = this.#next(message)
      if (turn !== undefined) void this.#run(turn, message, new AbortController().signal)
    }
  }

  async #answer(request: RequestMessage): Promise<void> {
    const turn = this.#next(request)
    if (turn === undefined) {
      this.#refuse(request)
      return
    }
    this.#notes.answered(request, turn)
    const stop = new AbortController()
    const running = { stop, done: this.#run(turn, request, stop.signal) }
    this.#running.set(String(request.id), running)
    await running.done
    if (this.#running.get(String(request.id)) === running) this.#running.delete(String(request.id))
  }

  /** The recorded turn of a request; repeated requests get the later turns, and then the last one. */
  #next({ method, params }: NotificationMessage): Turn | undefined {
    const found = this.#recording.find(method, params)
    if (found === undefined) return undefined
    const { startAt = 0 } = this.#options
    const position = this.#positions.get(found.key) ?? startAt
    this.#positions.set(found.key, position + 1)
    return found.turns[Math.min(position, found.turns.length - 1)]
  }

  #refuse(request: RequestMessage): void {
    const { id, method, params } = request
    const result = unrecordedResult(this.#recording, method)
    if (result !== undefined) {
      void this.#send({ jsonrpc: '2.0', id, result })
      return
    }
    const error = unknownRequest(this.#recording, method, params)
    this.#notes.unknown(request, error.data.nearest)
    void this.#send({ jsonrpc: '2.0', id, error })
  }

  async #run(turn: Turn, message: RequestMessage | NotificationMessage, signal: AbortSignal): Promise<void> {
    let before = turn.at
    for (const step of turn.steps) {
      await pause(this.#options.pause(step.at - before), signal)
      before = step.at
      if (signal.aborted) return
      await this.#perform(step, turn, message, signal)
    }
    const isOver = turn.steps.some(({ kind }) => kind === 'answer') || turn.cancelled || staysOpen(turn.message)
    if (isOver || !isRequest(message) || signal.aborted) return
    const why = `The recording ends before ${message.method} was answered`
    await this.#send({ jsonrpc: '2.0', id: message.id, error: { code: -32603, message: why } })
  }

  async #perform(
    step: Step,
    turn: Turn,
    message: RequestMessage | NotificationMessage,
    signal: AbortSignal,
  ): Promise<void> {
    if (step.kind === 'ask') await this.#ask(step, message, signal)
    else if (step.kind === 'say') {
      const said = rewriteNotification(step.message, turn.message, message)
      if (said !== undefined) await this.#send(said)
    } else if (isRequest(message)) await this.#send({ ...step.message, id: message.id } as Message)
  }

  /** Sends a recorded request to the client, waits for a response if one was recorded, and notes the differences. */
  async #ask(step: Step & { kind: 'ask' }, message: NotificationMessage, signal: AbortSignal): Promise<void> {
    this.#asked += 1
    const id = `recorded-${this.#asked}`
    const answered = new Promise<AnswerMessage | undefined>((resolve) => {
      this.#waiting.set(id, resolve)
      signal.addEventListener('abort', () => resolve(undefined))
    })
    await this.#send({ ...step.message, id } as Message)
    if (step.answer === undefined) return
    const answer = await answered
    this.#waiting.delete(id)
    if (answer !== undefined) this.#notes.compared(message, step.message, outcomeOf(step.answer), outcomeOf(answer))
  }

  async #send(message: Message): Promise<void> {
    try {
      await this.#channel.send(message)
    } catch {
      // The channel reports its end itself.
    }
  }
}

const outcomeOf = (answer: AnswerMessage): JsonObject => {
  const { result, error } = answer as { result?: unknown; error?: unknown }
  return error === undefined ? { result } : { error }
}

function pause(ms: number, signal: AbortSignal): Promise<void> | undefined {
  if (ms <= 0 || signal.aborted) return undefined
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}
