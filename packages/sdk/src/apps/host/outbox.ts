import { McpError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { methods } from '../vocabulary.ts'
import { type AnyToolResult, toWireResult } from './app-client.ts'

/** The notifications about the call of a view, in the promised order; kept until it listens. */
export class ViewOutbox {
  readonly #send: (method: string, params: JsonObject) => void
  #queue: { method: string; params: JsonObject }[] | undefined = []
  #hasInput = false
  #hasOutcome = false

  constructor(send: (method: string, params: JsonObject) => void) {
    this.#send = send
  }

  /** The view listens: sends the kept notifications. */
  open(): void {
    const queue = this.#queue ?? []
    this.#queue = undefined
    for (const { method, params } of queue) this.#send(method, params)
  }

  /** Arguments so far. Once they are complete this says nothing, so that a late chunk does no harm. */
  partial(args: JsonObject): void {
    if (this.#hasInput) return
    // A view that listens late needs only the latest.
    if (this.#queue?.at(-1)?.method === methods.toolInputPartial) this.#queue.pop()
    this.#put(methods.toolInputPartial, { arguments: args })
  }

  input(args: JsonObject): void {
    if (this.#hasInput) throw misuse('The view already has its input')
    this.#hasInput = true
    this.#put(methods.toolInput, { arguments: args })
  }

  result(result: AnyToolResult): void {
    if (!this.#hasInput) throw misuse('A view gets its input before the result')
    this.#conclude()
    this.#put(methods.toolResult, toWireResult(result))
  }

  cancelled(reason: string): void {
    this.#conclude()
    this.#put(methods.toolCancelled, { reason })
  }

  contextChanged(change: JsonObject): void {
    const last = this.#queue?.at(-1)
    if (last?.method === methods.contextChanged) Object.assign(last.params, change)
    else this.#put(methods.contextChanged, { ...change })
  }

  #conclude(): void {
    if (this.#hasOutcome) throw misuse('The view already knows how its call ended')
    this.#hasOutcome = true
  }

  #put(method: string, params: JsonObject): void {
    if (this.#queue) this.#queue.push({ method, params })
    else this.#send(method, params)
  }
}

const misuse = (message: string): McpError => new McpError('invalid_argument', message)
