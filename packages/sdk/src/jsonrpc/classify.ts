import { ErrorCode } from '../errors.ts'
import type { JsonObject, RequestId } from './message.ts'

/** The kind of a parsed JSON value, in JSON-RPC terms. */
type Kind = 'request' | 'notification' | 'result' | 'error' | 'batch' | 'invalid'

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A request id is a string or an integer; unlike base JSON-RPC it is never null. Beyond 2^53 integers change while they
 * are read, and an answer with another id would reach no request, or a wrong one.
 */
const isRequestId = (value: unknown): value is RequestId => typeof value === 'string' || Number.isSafeInteger(value)

/** Classifies a value, without copying it. */
export function classify(value: unknown): Kind {
  if (Array.isArray(value)) return 'batch'
  if (!isObject(value) || value.jsonrpc !== '2.0') return 'invalid'
  return value.method === undefined ? classifyResponse(value) : classifyCall(value)
}

function classifyCall(value: JsonObject): Kind {
  if (typeof value.method !== 'string') return 'invalid'
  // Some peers write `params: null` for "none".
  if (value.params !== undefined && value.params !== null && !isObject(value.params)) return 'invalid'
  if (value.id === undefined) return 'notification'
  return isRequestId(value.id) ? 'request' : 'invalid'
}

// Some peers always write both members of a response, one of them null.
const isGiven = (member: unknown): boolean => member !== undefined && member !== null

function classifyResponse(value: JsonObject): Kind {
  if (isGiven(value.error)) {
    if (isGiven(value.result) || !isWireError(value.error)) return 'invalid'
    // An error without a readable request has no id; base JSON-RPC writes null there.
    return value.id === undefined || value.id === null || isRequestId(value.id) ? 'error' : 'invalid'
  }
  return isObject(value.result) && isRequestId(value.id) ? 'result' : 'invalid'
}

const isWireError = (value: unknown): boolean =>
  isObject(value) && Number.isInteger(value.code) && typeof value.message === 'string'

/** The reason why a value is not a message, and the kind that was meant. */
interface Invalid {
  code: number
  message: string
  id?: RequestId
  /** Only a possible request is ever answered. `foreign` does not even claim to be JSON-RPC, like a log line. */
  meant: 'request' | 'notification' | 'response' | 'foreign'
}

/** Explains an `invalid` value. Only for values that `classify` called so. */
export function explainInvalid(value: unknown): Invalid {
  const why = isObject(value) ? reason(value) : `expected a JSON-RPC message object, got ${describe(value)}`
  return {
    code: ErrorCode.InvalidRequest,
    message: `Invalid request: ${why}`,
    meant: meaning(value),
    ...(isObject(value) && isRequestId(value.id) && { id: value.id }),
  }
}

function meaning(value: unknown): Invalid['meant'] {
  if (!isObject(value) || value.jsonrpc !== '2.0') return 'foreign'
  if (value.method === undefined) return isResponse(value) ? 'response' : 'request'
  return value.id === undefined && typeof value.method === 'string' ? 'notification' : 'request'
}

const isResponse = (value: JsonObject): boolean =>
  value.method === undefined && (value.result !== undefined || value.error !== undefined)

function reason(value: JsonObject): string {
  if (value.jsonrpc !== '2.0') return `jsonrpc: expected "2.0", got ${describe(value.jsonrpc)}`
  if (isResponse(value)) {
    if (isGiven(value.result) && isGiven(value.error)) return 'a response has either result or error, not both'
    if (isGiven(value.error) && !isWireError(value.error)) return 'error: expected an integer code and a message'
    if (!isGiven(value.error) && !isObject(value.result)) {
      return `result: expected an object, got ${describe(value.result)}`
    }
    return `id: expected a string or an integer, got ${describe(value.id)}`
  }
  if (typeof value.method !== 'string') return `method: expected a string, got ${describe(value.method)}`
  if (value.params !== undefined && value.params !== null && !isObject(value.params)) {
    return `params: expected an object, got ${describe(value.params)}`
  }
  return `id: expected a string or an integer, got ${describe(value.id)}`
}

function describeNumber(value: number): string {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return `a number beyond ${Number.MAX_SAFE_INTEGER}`
  return Number.isInteger(value) ? 'an integer' : 'a fractional number'
}

/** Names the JSON type of a value, for error messages. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'number') return describeNumber(value)
  return `a ${typeof value}`
}
