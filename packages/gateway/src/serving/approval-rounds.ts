import type { JsonObject } from '@tenon/sdk/client'
import { type BackendRequest, InputRequired } from '@tenon/sdk/relay'
import { inputRequired } from '@tenon/sdk/server'
import type { GatewayRequest } from '../model.ts'

/** Ends a round, because the person at the client has to answer first. */
class Asking extends Error {
  constructor() {
    super('The client is asked; the request comes again with the answer')
    this.name = 'Asking'
  }
}

/** The memory of a request between its rounds; the client carries it sealed. */
interface RoundState {
  readonly id: string
  /** The answers to questions of the gateway. */
  readonly answers: { readonly [key: string]: JsonObject }
  /** The state of the upstream. */
  readonly inner?: unknown
}

const prefix = 'gateway-question-'

const isState = (state: unknown): state is { gateway: RoundState } =>
  typeof state === 'object' && state !== null && typeof (state as { gateway?: unknown }).gateway === 'object'

/**
 * The rounds of one request. A question of the gateway ends a round, and so does one of the upstream; with the answers
 * the request comes again, and everything that was answered before answers itself.
 */
export class ApprovalRounds {
  readonly id: string
  readonly #answers: Record<string, JsonObject>
  readonly #request: BackendRequest
  readonly #inner: unknown
  #asked = 0
  #question: InputRequired | undefined

  constructor(request: BackendRequest) {
    this.#request = request
    const { state, responses } = request.input
    const known = isState(state) ? state.gateway : undefined
    this.id = known?.id ?? crypto.randomUUID()
    this.#inner = known === undefined ? state : known.inner
    const given = Object.entries(responses).filter(([key]) => key.startsWith(prefix))
    this.#answers = { ...known?.answers, ...Object.fromEntries(given) }
  }

  /** Asks the person at the client; undefined if the client cannot be asked with this request. */
  get elicit(): GatewayRequest['elicit'] {
    const { caller, method } = this.#request
    const declared = caller.capabilities.elicitation as { form?: unknown; url?: unknown } | undefined
    const isAsking = method === 'tools/call' || method === 'resources/read' || method === 'prompts/get'
    const takesForms = declared !== undefined && (declared.form !== undefined || declared.url === undefined)
    return isAsking && takesForms ? (message, schema) => this.#ask(message, schema) : undefined
  }

  /** The request for the upstream: without the answers that are for the gateway. */
  forUpstream(params: JsonObject): BackendRequest {
    const { responses } = this.#request.input
    const others = Object.entries(responses).filter(([key]) => !key.startsWith(prefix))
    return this.#request.with({ params, input: { responses: Object.fromEntries(others), state: this.#inner } })
  }

  /** The questions of the upstream, with what this request has to remember. */
  wrap(asked: InputRequired): InputRequired {
    const { requests, state } = asked
    return new InputRequired({ ...(requests && { requests }), state: this.#state(state) })
  }

  /** The question that ends the round, whatever the gatekeeper makes of it. */
  get question(): InputRequired | undefined {
    return this.#question
  }

  #state(inner: unknown): { gateway: RoundState } {
    return { gateway: { id: this.id, answers: this.#answers, ...(inner !== undefined && { inner }) } }
  }

  async #ask(message: string, requestedSchema: JsonObject): Promise<{ action: string; content?: JsonObject }> {
    const key = `${prefix}${++this.#asked}`
    const answer = Object.hasOwn(this.#answers, key) ? this.#answers[key] : undefined
    if (answer !== undefined) return answer as { action: string; content?: JsonObject }
    const params = { mode: 'form', message, requestedSchema } as never
    this.#question ??= inputRequired({
      requests: { [key]: { method: 'elicitation/create', params } },
      state: this.#state(this.#inner),
    })
    throw new Asking()
  }
}
