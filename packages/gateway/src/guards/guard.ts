import type { JsonObject } from '@tenon/sdk/client'
import type { GatewayRequest } from '../model.ts'

/**
 * The answer of a guard. Undefined lets everything as it is.
 *
 * - `change`: other arguments, or another result
 * - `answer`: a result in place of the upstream's; only before the call
 * - `refuse`: an error for the caller, with these words; `note` is for the audit log alone
 */
export type GuardAnswer =
  | { readonly change: JsonObject; readonly note?: string }
  | { readonly answer: JsonObject; readonly note?: string }
  | { readonly refuse: string; readonly note?: string }
  | undefined

/** The answer of an upstream: a result, or an error with code, message and data. */
export type GuardedKind = 'result' | 'error'

/**
 * Looks at arguments before a request, and at results and errors after it.
 *
 * @example
 * const noDrafts: Guard = {
 *   name: 'no drafts',
 *   after: (request, result) => ('draft' in result ? { refuse: 'This is a draft' } : undefined),
 * }
 */
export interface Guard {
  readonly name: string
  before?(request: GatewayRequest, args: JsonObject): GuardAnswer | Promise<GuardAnswer>
  after?(request: GatewayRequest, value: JsonObject, kind: GuardedKind): GuardAnswer | Promise<GuardAnswer>
}
