import type { Payload } from '@tenon/sdk/client'
import { isObject } from '../read-params.ts'
import type { Entry } from './entry.ts'

type Known = Pick<Entry, 'kind' | 'method' | 'name' | 'rpcId'>

/** Characters of a method or a name in a list; the message itself is kept whole. */
export const maxName = 500

/** Reads the kind, method and name of a message, which may be malformed: it came from a peer. */
export function readMessage(message: unknown): Known {
  if (!isObject(message)) return { kind: 'notification', method: '', name: undefined, rpcId: undefined }
  const { id, method, params, error } = message
  const rpcId = isRpcId(id) ? id : undefined
  if (typeof method === 'string') {
    const name = nameIn(params)?.slice(0, maxName)
    return { kind: rpcId === undefined ? 'notification' : 'request', method: method.slice(0, maxName), name, rpcId }
  }
  // Only JSON-RPC can answer: an object that merely has the id of a request ends nothing.
  if (method !== undefined || message.jsonrpc !== '2.0')
    return { kind: 'notification', method: '', name: undefined, rpcId: undefined }
  return { kind: isGiven(error) ? 'error' : 'result', method: '', name: undefined, rpcId }
}

/** Anything may stand where an id belongs. */
export const isRpcId = (id: unknown): id is string | number => typeof id === 'string' || Number.isSafeInteger(id)

/** The request that a notification cancels, and why. */
export function cancellation(message: unknown): { id?: string | number; reason?: string } {
  const { requestId, reason } = isObject(message) && isObject(message.params) ? message.params : {}
  return { ...(isRpcId(requestId) && { id: requestId }), ...(typeof reason === 'string' && { reason }) }
}

const isGiven = (member: unknown): boolean => member !== undefined && member !== null

/** Why a payload is no message that either side takes. */
export function faultOf(message: unknown): string | undefined {
  if (!isObject(message)) return 'expected a JSON-RPC message, which is an object'
  const { jsonrpc, id, method, params, result, error } = message
  if (jsonrpc !== '2.0') return 'jsonrpc: expected "2.0"'
  if (method !== undefined) {
    if (typeof method !== 'string') return 'method: expected a text'
    if (isGiven(params) && !isObject(params)) return 'params: expected an object'
    return id === undefined || isRpcId(id) ? undefined : 'id: expected a text or an integer'
  }
  if (isGiven(result) && isGiven(error)) return 'expected either a result or an error, got both'
  if (!isGiven(error)) {
    if (!isObject(result)) return 'result: expected an object'
    return isRpcId(id) ? undefined : 'id: expected a text or an integer'
  }
  if (!isObject(error) || !Number.isInteger(error.code) || typeof error.message !== 'string')
    return 'error: expected an integer code and a message'
  return isGiven(id) && !isRpcId(id) ? 'id: expected a text or an integer' : undefined
}

function nameIn(params: unknown): string | undefined {
  if (!isObject(params)) return undefined
  const { name, uri, taskId } = params
  return [name, uri, taskId].find((value) => typeof value === 'string')
}

/** Whether a result says that a tool ran and failed. */
export const isToolError = (message: unknown): boolean =>
  isObject(message) && isObject(message.result) && message.result.isError === true

/** Whether a result is questions instead of an answer. */
export const asksForInput = (message: unknown): boolean =>
  isObject(message) && isObject(message.result) && message.result.resultType === 'input_required'

/** The messages that travelled together. */
export const messagesIn = (payload: Payload): unknown[] => (Array.isArray(payload) ? payload : [payload])
