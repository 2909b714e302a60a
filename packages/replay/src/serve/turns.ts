import type { JsonObject, Message } from '@tenon/sdk/client'
import { isObject } from '../json/is-object.ts'
import type { Session } from '../session/format.ts'

export type RequestMessage = Message & { id: string | number; method: string; params?: JsonObject }
export type NotificationMessage = Message & { method: string; params?: JsonObject }
export type AnswerMessage = Message & { id?: string | number }

/** A message of the server that belongs to a turn. */
export type Step =
  | { kind: 'say'; at: number; message: NotificationMessage }
  | { kind: 'ask'; at: number; message: RequestMessage; answer?: AnswerMessage }
  | { kind: 'answer'; at: number; message: AnswerMessage }

/** A message of the client, and the server's messages for it. */
export interface Turn {
  readonly message: RequestMessage | NotificationMessage
  readonly at: number
  readonly steps: Step[]
  /** The client did not want the answer any more. */
  cancelled: boolean
}

const hasMethod = (message: Message): boolean =>
  isObject(message) && typeof (message as { method?: unknown }).method === 'string'

export const isRequest = (message: Message): message is RequestMessage =>
  hasMethod(message) && 'id' in message && message.id !== undefined
export const isNotification = (message: Message): message is NotificationMessage =>
  hasMethod(message) && !('id' in message)

export const subscriptionKey = 'io.modelcontextprotocol/subscriptionId'

/** The progress token in the params of a request. */
export const progressTokenOf = (params: JsonObject | undefined): unknown =>
  isObject(params?._meta) ? params._meta.progressToken : undefined

/** Takes a session apart into turns, in the order in which the client spoke. */
export function turnsOf(session: Pick<Session, 'events'>): Turn[] {
  const reader = new TurnReader()
  for (const event of session.events) {
    if (event.kind === 'opened') reader.reset()
    if (event.kind !== 'message') continue
    for (const message of [event.payload].flat()) {
      if (!isObject(message)) continue
      if (event.from === 'client') reader.said(message, event.at)
      else reader.heard(message, event.at)
    }
  }
  return reader.turns
}

class TurnReader {
  readonly turns: Turn[] = []
  /** The requests of the client that are not answered yet, in order. */
  #open = new Map<string, Turn>()
  #asked = new Map<string, Step & { kind: 'ask' }>()

  reset(): void {
    this.#open = new Map()
    this.#asked = new Map()
  }

  said(message: Message, at: number): void {
    if (isRequest(message)) {
      // A handshake begins another conversation, in which ids begin anew.
      if (message.method === 'initialize') this.reset()
      const turn: Turn = { message, at, steps: [], cancelled: false }
      this.turns.push(turn)
      this.#open.set(String(message.id), turn)
    } else if (isNotification(message)) this.#notified(message, at)
    else this.#answered(message as AnswerMessage)
  }

  heard(message: Message, at: number): void {
    if (isRequest(message)) {
      const step: Step & { kind: 'ask' } = { kind: 'ask', at, message }
      this.#asked.set(String(message.id), step)
      this.#ownerOf(message)?.steps.push(step)
    } else if (isNotification(message)) this.#ownerOf(message)?.steps.push({ kind: 'say', at, message })
    else {
      const answer = message as AnswerMessage
      const turn = this.#open.get(String(answer.id))
      turn?.steps.push({ kind: 'answer', at, message: answer })
      this.#open.delete(String(answer.id))
    }
  }

  #notified(message: NotificationMessage, at: number): void {
    if (message.method !== 'notifications/cancelled') {
      this.turns.push({ message, at, steps: [], cancelled: false })
      return
    }
    const id = String(message.params?.requestId)
    const turn = this.#open.get(id)
    if (turn === undefined) return
    turn.cancelled = true
    this.#open.delete(id)
  }

  #answered(answer: AnswerMessage): void {
    const step = this.#asked.get(String(answer.id))
    if (step !== undefined) step.answer = answer
    this.#asked.delete(String(answer.id))
  }

  /** The turn of a message: the one it names, the latest open request, or the latest turn. */
  #ownerOf({ method, params }: NotificationMessage): Turn | undefined {
    const open = [...this.#open.values()].reverse()
    if (method === 'notifications/progress') {
      const named = open.find((turn) => progressTokenOf(turn.message.params) === params?.progressToken)
      if (named !== undefined) return named
    }
    const subscription = isObject(params?._meta) ? params._meta[subscriptionKey] : undefined
    if (subscription !== undefined) return this.#open.get(String(subscription)) ?? this.turns.at(-1)
    return open.find((turn) => !staysOpen(turn.message)) ?? this.turns.at(-1)
  }
}

/** A request whose answer only says that it is over. */
export const staysOpen = ({ method }: { method: string }): boolean => method === 'subscriptions/listen'
