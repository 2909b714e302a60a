import { isThenable, type MaybePromise } from '../../internal/maybe-promise.ts'
import type { IncomingRequest } from '../../jsonrpc/incoming.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { Caller } from '../caller.ts'
import type { StateServer } from '../stateless/state-seal.ts'
import type { Memory } from './memory.ts'
import type { KeepSteps } from './once-steps.ts'
import type { Replay } from './replay.ts'

/** A run that ended with questions in place of a result. */
export class Interrupted {
  readonly result: JsonObject

  constructor(result: JsonObject) {
    this.result = result
  }
}

/** Ends a run whose questions went to the client, so that `finally` blocks run. Never reported, never sent. */
export class Suspension extends Error {
  constructor() {
    super('This run ends here: the client was asked, and the handler runs again when the answer is there')
    this.name = 'Suspension'
  }
}

/** The client's answers for a handler that keeps track of rounds itself. */
export interface HandlerInput {
  readonly responses: { readonly [key: string]: JsonObject }
  readonly state: unknown
}

export const noInput: HandlerInput = { responses: {}, state: undefined }

/** A call whose handler can ask in rounds. */
export interface RoundCall {
  readonly request: IncomingRequest
  readonly caller: Caller
  /** How questions are asked where the result carries them; absent where they are sent at once, or not at all. */
  round: Round | undefined
  input: HandlerInput
}

/** Keeps the memory of a round. */
interface RoundKeeper {
  /** Returns the state that the client carries. */
  save(memory: Memory): Promise<string>
  keepSteps: KeepSteps
}

interface Run {
  settled: Promise<unknown> | undefined
  resolve(value: unknown): void
  reject(reason: unknown): void
}

/**
 * One round of a request where a server only answers: it ends with a result, or with questions. This is all that a request
 * needs whose handler asks nothing; the first question loads the `Replay`.
 */
export class Round {
  /** The server that was asked, the params of the request, and the memory of the round before. */
  readonly server: StateServer
  readonly params: JsonObject
  readonly memory: Memory | undefined
  /** Keeps the memory of a task; otherwise it is sealed and travels through the client. */
  readonly keeper: RoundKeeper | undefined
  replay: Replay | undefined
  // Made when first needed: most handlers do not even wait.
  #runs: Run[] | undefined
  #outcome: Promise<Interrupted> | undefined
  #delivered = false
  #unsettled = 0

  constructor(server: StateServer, params: JsonObject, memory?: Memory, keeper?: RoundKeeper) {
    this.server = server
    this.params = params
    this.memory = memory
    this.keeper = keeper
  }

  /** True once the client is being asked: the rest of the handler's run is ignored. */
  get isOver(): boolean {
    return this.#outcome !== undefined
  }

  /** Runs a handler until it has a result or has to ask. */
  perform(handler: () => unknown): unknown {
    const returned = handler()
    return isThenable(returned) ? this.#race(returned) : returned
  }

  /** The result of everything around the handler too: middleware may ask as well. */
  finish(whole: MaybePromise<JsonObject>): MaybePromise<JsonObject> {
    return whole instanceof Promise || this.isOver ? this.#finish(whole) : whole
  }

  /** Ends the round with questions, or because something is wrong with their answers. */
  stop(outcome: Promise<Interrupted>): void {
    this.#outcome = outcome
    outcome.catch(() => {})
    const runs = this.#runs ?? []
    this.#delivered = runs.length > 0
    for (const { resolve, reject } of runs) outcome.then(resolve, reject)
  }

  /** True if the handlers of a round that is over came to their ends. */
  get isSettled(): boolean {
    return this.#unsettled === 0
  }

  /** Resolves when they did. */
  async settled(): Promise<void> {
    await Promise.all((this.#runs ?? []).map((run) => run.settled))
  }

  async #finish(whole: MaybePromise<JsonObject>): Promise<JsonObject> {
    try {
      const result = await whole
      if (this.#outcome === undefined || this.#delivered) return result
    } catch (error) {
      const isAsking = this.#outcome !== undefined && (!this.#delivered || error instanceof Suspension)
      if (!isAsking) throw error
    } finally {
      this.replay?.stopWaiting()
    }
    return (await this.#outcome!).result
  }

  #race(handling: PromiseLike<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const run: Run = { resolve, reject, settled: undefined }
      run.settled = Promise.resolve(handling).then(
        (value) => this.#leave(run) && resolve(value),
        (error: unknown) => this.#leave(run) && reject(error),
      )
      this.#unsettled++
      this.#runs ??= []
      this.#runs.push(run)
    })
  }

  /** False if the round is over: then the outcome of a run is ignored. */
  #leave(run: Run): boolean {
    this.#unsettled--
    if (this.isOver) return false
    this.#runs!.splice(this.#runs!.indexOf(run), 1)
    return true
  }
}

/** Prepares a call for questions that its result carries. */
export function startRound(
  call: RoundCall,
  round: Round,
  responses = (round.params.inputResponses ?? {}) as HandlerInput['responses'],
): Round {
  call.input = { responses, state: round.memory?.own }
  call.round = round
  return round
}
