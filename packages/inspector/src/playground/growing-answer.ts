import type { ChatEvent } from '@tenon/host/chat'
import type { JsonObject } from '@tenon/sdk/client'
import { throttle } from '../events/throttle.ts'
import { toProblem } from '../problem.ts'
import type { AnswerEnd, AnswerPart, PlaygroundAnswer, ToolUse } from '../protocol.ts'

const tellMs = 100
/** Characters of a result that is shown in the conversation. Larger ones are in the timeline. */
const maxResult = 256 * 1024
/** Characters of all results of an answer that are shown in it. */
const maxResults = 2 * 1024 * 1024

/** The answer of one model to one message, while it grows. */
export class GrowingAnswer {
  readonly #model: string
  /** Makes the ids of its tool calls unlike those of other answers. */
  readonly #id: string
  readonly #parts: AnswerPart[] = []
  readonly #uses = new Map<string, Partial<ToolUse>>()
  readonly #tell: { (): void; flush(): void }
  readonly #start = performance.now()
  #end: AnswerEnd | undefined
  #resultsLeft = maxResults

  constructor(model: string, id: string, tell: (answer: PlaygroundAnswer) => void) {
    this.#model = model
    this.#id = id
    this.#tell = throttle(tellMs, () => tell(this.view))
  }

  get view(): PlaygroundAnswer {
    const parts = this.#parts.map((part) => (part.kind === 'call' ? { ...part, ...this.#uses.get(part.id) } : part))
    return { model: this.#model, parts, ...(this.#end && { end: this.#end }) }
  }

  idOf(callId: string): string {
    return `${this.#id} ${callId}`
  }

  /** Something became known about a tool call, maybe before the event that it began. */
  learned(callId: string, facts: Partial<ToolUse>): void {
    const id = this.idOf(callId)
    this.#uses.set(id, { ...this.#uses.get(id), ...facts })
    this.#tell()
  }

  notice(text: string): void {
    this.#parts.push({ kind: 'notice', text })
  }

  take(event: ChatEvent): void {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        this.#write(event.type, event.text)
        break
      case 'notice':
        this.notice(event.message)
        break
      case 'tool-call': {
        const { callId, name, arguments: args } = event
        this.#parts.push({ kind: 'call', id: this.idOf(callId), name, arguments: args })
        break
      }
      case 'tool-result': {
        const result = event.result as unknown as JsonObject
        const { length } = JSON.stringify(result)
        const isShown = length <= Math.min(maxResult, this.#resultsLeft)
        if (isShown) this.#resultsLeft -= length
        this.learned(event.callId, { outcome: event.outcome, ...(isShown && { result }) })
        break
      }
      case 'done': {
        const { reason, steps, usage } = event
        this.end({ reason, steps, inputTokens: usage.inputTokens, outputTokens: usage.outputTokens })
        break
      }
      case 'error':
        this.fail(event.error)
    }
    this.#tell()
  }

  fail(error: unknown): void {
    this.end({ reason: 'failed', problem: { ...toProblem(error), kind: 'request' } })
  }

  end(end: Omit<AnswerEnd, 'durationMs'>): void {
    if (this.#end !== undefined) return
    this.#end = { ...end, durationMs: performance.now() - this.#start }
    this.#tell()
    this.#tell.flush()
  }

  #write(kind: 'text' | 'reasoning', text: string): void {
    const last = this.#parts.at(-1)
    if (last?.kind === kind) this.#parts[this.#parts.length - 1] = { kind, text: last.text + text }
    else this.#parts.push({ kind, text })
  }
}
