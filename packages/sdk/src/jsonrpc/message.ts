import type { WireError } from '../errors.ts'

export type { WireError } from '../errors.ts'

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject

/** A JSON object. Members are `unknown` on purpose: a peer's values have to be checked before use. */
export type JsonObject = { [member: string]: unknown }

/** A request id: a string or an integer, never null. */
export type RequestId = string | number

export interface Request {
  jsonrpc: '2.0'
  id: RequestId
  method: string
  params?: JsonObject
}

export interface Notification {
  jsonrpc: '2.0'
  method: string
  params?: JsonObject
}

export interface ResultResponse {
  jsonrpc: '2.0'
  id: RequestId
  result: JsonObject
}

export interface ErrorResponse {
  jsonrpc: '2.0'
  /** Absent only when the id of the request could not be read. */
  id?: RequestId
  error: WireError
}

export type Message = Request | Notification | ResultResponse | ErrorResponse

/** One message, or a batch of them. */
export type Payload = Message | Message[]
