import { isDeepStrictEqual } from 'node:util'
import { modelName } from '@tenon/host'
import type { ChatEvent } from '@tenon/host/chat'
import type { EvalRun } from '@tenon/host/evals'
import type { JsonObject } from '@tenon/sdk/client'
import { GrowingAnswer } from '../playground/growing-answer.ts'
import type { EvalConversation, PlaygroundAnswer } from '../protocol.ts'

/** A request to a server, and where the timeline has it. */
interface SentCall {
  /** The server in the workbench, and in the file. */
  server: string
  name: string
  tool: string
  arguments: unknown
  row: number
}

/** One conversation of an evaluation while it is held: the answer as the Playground shows it, and its messages. */
export class RunLog {
  readonly #answer: GrowingAnswer
  readonly #sent: SentCall[] = []
  /** The rows of calls, in the order of the calls. */
  readonly #rows = new Map<string, number | undefined>()

  constructor(model: string, id: string) {
    this.#answer = new GrowingAnswer(model, id, () => {})
  }

  get answer(): PlaygroundAnswer {
    return this.#answer.view
  }

  /** A tool was called over a connection of this conversation. */
  sent(call: SentCall): void {
    this.#sent.push(call)
  }

  take(event: ChatEvent): void {
    this.#answer.take(event)
    if (event.type === 'tool-call') this.#rows.set(event.callId, undefined)
    if (event.type !== 'tool-result') return
    const { callId, name } = event
    const call = this.#claim(name, this.#argumentsOf(callId))
    if (call === undefined) return
    const { server, tool, row } = call
    this.#rows.set(callId, row)
    this.#answer.learned(callId, { server, tool, row })
  }

  /** The conversation as it is listed. */
  conversation(number: number, name: string, model: string, run: EvalRun): EvalConversation {
    const { status, steps, durationMs, usage, failures } = run
    const rows = [...this.#rows.values()]
    return {
      number,
      name,
      model,
      status,
      steps,
      durationMs,
      tokens: usage.inputTokens + usage.outputTokens,
      failures: failures.map(({ path, message, place }) => ({ path, message, ...(place && { line: place.line }) })),
      calls: run.calls.map(({ tool, outcome }, index) => ({
        tool,
        ...(outcome && { outcome }),
        ...(rows[index] !== undefined && { row: rows[index] }),
      })),
    }
  }

  #argumentsOf(callId: string): JsonObject {
    const id = this.#answer.idOf(callId)
    const use = this.answer.parts.find((part) => part.kind === 'call' && part.id === id)
    return use?.kind === 'call' ? use.arguments : {}
  }

  /** The first request of these words that no other call has: the protocol does not tell which call of the model it is. */
  #claim(name: string, args: JsonObject): SentCall | undefined {
    const index = this.#sent.findIndex(
      (call) => modelName(call.name, call.tool) === name && isDeepStrictEqual(call.arguments, args),
    )
    return index === -1 ? undefined : this.#sent.splice(index, 1)[0]
  }
}
