import { McpError } from '../../errors.ts'
import { describe, isObject } from '../../jsonrpc/classify.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ClientCapabilities } from '../../model/capabilities.ts'
import type { ElicitParams } from '../../model/elicitation.ts'
import type { CreateMessageParams } from '../../model/sampling.ts'
import { assertPriorities, samplingCapabilities } from './sampling-capabilities.ts'

/** A question to the client, spelled out. */
export type InputRequest =
  | { method: 'elicitation/create'; params: ElicitParams }
  | { method: 'sampling/createMessage'; params: CreateMessageParams }
  | { method: 'roots/list'; params?: JsonObject }

export interface InputRequiredOptions {
  /** The questions, by the keys under which their answers come back. */
  requests?: { readonly [key: string]: InputRequest }
  /** JSON that comes back with the answers, in `ctx.requestState`. The client can neither read nor change it. */
  state?: unknown
}

/** Returned by a handler in place of its result: made by `inputRequired`. */
export class InputRequired {
  readonly requests: { readonly [key: string]: InputRequest } | undefined
  readonly state: unknown

  constructor({ requests, state }: InputRequiredOptions) {
    this.requests = requests
    this.state = state
  }
}

/**
 * Ends a handler with questions, for those who keep track of rounds themselves: the handler runs again with the raw
 * answers in `ctx.inputResponses` and the state in `ctx.requestState`. Most handlers just `await ctx.elicit(...)`.
 *
 * @example
 * const name = ctx.inputResponses.name
 * if (name === undefined) return inputRequired({ requests: { name: { method: 'elicitation/create', params } } })
 */
export function inputRequired(options: InputRequiredOptions): InputRequired {
  const { requests, state } = options
  if (requests === undefined && state === undefined) {
    throw new McpError('invalid_argument', 'inputRequired: expected requests, state or both')
  }
  for (const [key, request] of Object.entries(requests ?? {})) {
    if (isObject(request) && neededFor(request as unknown as InputRequest) !== undefined) continue
    const found = isObject(request) ? JSON.stringify(request.method) : describe(request)
    throw new McpError(
      'invalid_argument',
      `inputRequired requests[${JSON.stringify(key)}]: expected elicitation/create, sampling/createMessage or roots/list, got ${found}`,
    )
  }
  return new InputRequired(options)
}

/** The capability that a client must have declared for this question. */
export function neededFor(request: InputRequest): ClientCapabilities | undefined {
  switch (request.method) {
    case 'elicitation/create':
      return { elicitation: request.params.mode === 'url' ? { url: {} } : { form: {} } }
    case 'sampling/createMessage':
      assertPriorities(request.params)
      return samplingCapabilities(request.params)
    case 'roots/list':
      return { roots: {} }
    default:
      return undefined
  }
}
