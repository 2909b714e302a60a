import type { Payload } from '@tenon/sdk/client'
import { isObject } from '../read-params.ts'
import type { Entry } from './entry.ts'

type Known = Pick<Entry, 'kind' | 'method' | 'name' | 'rpcId'>

/** What a message is about, however odd it is: it came from a peer. */
export function readMessage(message: unknown): Known {
  if (!isObject(message)) return { kind: 'notification', method: '', name: undefined, rpcId: undefined }
  const { id, method, params, error } = message
  const rpcId = isRpcId(id) ? id : undefined
  if (typeof method === 'string') {
    return { kind: rpcId === undefined ? 'notification' : 'request', method, name: nameIn(params), rpcId }
  }
  return { kind: error === undefined ? 'result' : 'error', method: '', name: undefined, rpcId }
}

/** Anything may stand where an id belongs. */
export const isRpcId = (id: unknown): id is string | number => typeof id === 'string' || typeof id === 'number'

/** The request that a notification cancels. */
export function cancelledId(message: unknown): string | number | undefined {
  const id = isObject(message) && isObject(message.params) ? message.params.requestId : undefined
  return isRpcId(id) ? id : undefined
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
