import { McpError } from '../errors.ts'
import type { IncomingRequest } from '../jsonrpc/incoming.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import { isThenable } from '../soon.ts'
import { ask, needCapability } from './ask.ts'
import type { AuthInfo, CallerState } from './caller.ts'
import { HandlerContext, type Outlet } from './context.ts'
import type { Definition } from './definition.ts'
import { type InputRequest, InputRequired, neededFor } from './input-required.ts'
import type { ServerLimits } from './options.ts'
import type { Interrupted, Replay } from './replay.ts'
import { Steps } from './steps.ts'
import type { TaskHandle } from './tasks/handle.ts'

/** What came back from the client for a handler that keeps track of rounds itself. */
export interface Input {
  readonly responses: { readonly [key: string]: JsonObject }
  readonly state: unknown
}

const noInput: Input = { responses: {}, state: undefined }
const maxRounds = 100

/** One request on its way through a server: who asked, and where messages about it go. */
export class Call {
  readonly request: IncomingRequest
  readonly caller: CallerState
  /** Who was authenticated when the request came: another request of the session may bring another token. */
  readonly auth: AuthInfo | undefined
  readonly outlet: Outlet
  /** How questions are asked where a server only answers; absent where it asks at once, or not at all. */
  replay: Replay | undefined
  input: Input = noInput
  /** The task that the call is or may become; absent for ordinary calls. */
  task: TaskHandle | undefined
  /** The bounds of the server whose handler runs. */
  limits: ServerLimits | undefined
  /** How many questions were asked. */
  asked = 0
  #steps: Steps | undefined

  constructor(request: IncomingRequest, caller: CallerState, outlet: Outlet) {
    this.request = request
    this.caller = caller
    this.auth = caller.connection.auth
    this.outlet = outlet
  }

  /**
   * The context for handlers of a definition; a promise only if its user context is one. Throws if the request was
   * cancelled: a handler that starts afterwards would wait for an abort that has been.
   */
  contextOf(definition: Definition): HandlerContext<never> | Promise<HandlerContext<never>> {
    this.limits = definition.options.limits
    const context = definition.contextFor(this.caller)
    return context instanceof Promise ? context.then((made) => this.#context(made)) : this.#context(context)
  }

  /** Runs a handler: to what it returns, or to an `Interrupted` if it has to be run again. A promise only if it waits. */
  run(handler: () => unknown): unknown {
    const { replay } = this
    const returned = replay === undefined ? handler() : replay.perform(handler)
    if (isThenable(returned)) return this.#runOn(Promise.resolve(returned), handler)
    return returned instanceof InputRequired ? this.#goOn(returned, handler) : returned
  }

  async #runOn(returning: Promise<unknown>, handler: () => unknown): Promise<unknown> {
    const returned = await returning
    return returned instanceof InputRequired ? this.#goOn(returned, handler) : returned
  }

  #goOn(asked: InputRequired, handler: () => unknown): Promise<unknown> {
    return this.replay === undefined ? this.#askAndRun(asked, handler) : this.#interrupt(this.replay, asked)
  }

  once<T>(key: string, step: () => T | Promise<T>): Promise<T> {
    if (this.replay !== undefined) return this.replay.once(key, step)
    this.#steps ??= new Steps()
    return this.#steps.once(key, step)
  }

  #context(context: unknown): HandlerContext<never> {
    if (this.request.cancelled) throw new McpError('cancelled', 'The request was cancelled before its handler started')
    return new HandlerContext(context as never, this)
  }

  #interrupt(replay: Replay, { requests, state }: InputRequired): Promise<Interrupted> {
    for (const request of Object.values(requests ?? {})) needCapability(this, neededFor(request)!)
    return replay.asking(requests as JsonObject | undefined, state)
  }

  /** Who can be asked at once is asked at once, also by a handler that spells its questions out. */
  async #askAndRun(asked: InputRequired, handler: () => unknown): Promise<unknown> {
    let next = asked
    for (let round = 1; round < maxRounds; round++) {
      this.input = await this.#inputFor(next)
      this.#steps?.again()
      const returned = await handler()
      if (!(returned instanceof InputRequired)) return returned
      next = returned
    }
    throw new McpError('invalid_result', `A handler asked for input ${maxRounds} times and did not come to an end`)
  }

  async #inputFor({ requests = {}, state }: InputRequired): Promise<Input> {
    const asked = Object.entries(requests).map(
      async ([key, request]): Promise<[string, JsonObject]> => [key, await this.#ask(request)],
    )
    return { responses: Object.fromEntries(await Promise.all(asked)), state: throughJson(state) }
  }

  #ask(request: InputRequest): Promise<JsonObject> {
    return ask(this, request.method, { ...request.params }, neededFor(request)!)
  }
}

/** State comes back as it would from a client that carried it. */
const throughJson = (state: unknown): unknown => (state === undefined ? undefined : JSON.parse(JSON.stringify(state)))
