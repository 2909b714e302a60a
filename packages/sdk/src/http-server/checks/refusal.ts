import { ErrorCode } from '../../errors.ts'
import type { HttpReply, ReplyHeaders } from '../../http/request.ts'
import { classify } from '../../jsonrpc/classify.ts'
import type { Request, RequestId, WireError } from '../../jsonrpc/message.ts'

/** Why a request goes no further. */
export interface HttpRefusal {
  status: number
  error: WireError
  headers?: ReplyHeaders
  /** The id of the refused request, where it could be read. */
  id?: RequestId
}

export const refusal = (
  status: number,
  message: string,
  code: number = ErrorCode.InvalidRequest,
  headers?: ReplyHeaders,
): HttpRefusal => ({ status, error: { code, message }, ...(headers && { headers }) })

/** The refusal of a server that has no memory left for a request, or cannot reach a store that it needs. */
export const memoryRefusal = (error: WireError, id?: RequestId): HttpRefusal =>
  withRequestId(id, { status: 503, error, headers: retryLater })

export const retryLater: ReplyHeaders = { 'retry-after': '5' }

/** The refusal about one message. */
export const withRequestId = (id: RequestId | undefined, refused: HttpRefusal): HttpRefusal =>
  id === undefined ? refused : { ...refused, id }

/** The id that a message is answered with; undefined if it is no request. */
export const idOfRequest = (message: unknown): RequestId | undefined =>
  classify(message) === 'request' ? (message as Request).id : undefined

/** The refusal of a transport that has no such method. */
export const methodNotAllowed = (
  { allow, why }: { readonly allow: string; readonly why?: string },
  method: string,
): HttpRefusal =>
  refusal(405, `Method not allowed${why === undefined ? '' : `: ${method} (${why})`}`, undefined, { allow })

/** Answers with a JSON-RPC error, which has an id only if the request had one. */
export function refuseRequest(
  reply: HttpReply,
  { status, error, headers, id }: HttpRefusal,
  common?: ReplyHeaders,
): void {
  const body = JSON.stringify(id === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id, error })
  reply.send(status, { 'content-type': 'application/json', ...common, ...headers }, body)
}
