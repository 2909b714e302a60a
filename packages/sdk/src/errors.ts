/** The `error` member of a JSON-RPC error response. */
export interface WireError {
  code: number
  message: string
  data?: unknown
}

/** The numeric codes of JSON-RPC and MCP, by name. */
export const ErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  /** A resource does not exist, up to 2025-11-25; later revisions use `InvalidParams`. */
  ResourceNotFound: -32002,
  /** 2025-11-25 only: the call needs a URL elicitation first. */
  UrlElicitationRequired: -32042,
  /** The user rejected sampling. */
  UserRejected: -1,
  /** From 2026-07-28: header and body disagree. */
  HeaderMismatch: -32020,
  /** From 2026-07-28: the request did not declare a required client capability. */
  MissingRequiredClientCapability: -32021,
  /** From 2026-07-28: the server does not support the protocol version of the request. */
  UnsupportedProtocolVersion: -32022,
  /** The request needs scopes that the caller was not granted; over HTTP the status is 403 as well. */
  InsufficientScope: 403,
} as const

/** A JSON-RPC error from the peer, or one that is sent to it unchanged. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown
  /** True if the peer sent this error; false if it was raised here to be sent. */
  readonly remote: boolean

  constructor(code: number, message: string, data?: unknown, options?: ErrorOptions & { remote?: boolean }) {
    super(message, options)
    this.name = 'RpcError'
    this.code = code
    this.data = data
    this.remote = options?.remote ?? false
  }

  /** The error as it travels. */
  toWire(): WireError {
    return this.data === undefined
      ? { code: this.code, message: this.message }
      : { code: this.code, message: this.message, data: this.data }
  }
}

/**
 * The reason of a failure on this side.
 *
 * - `timeout`: no answer in time; the peer was notified of the cancellation
 * - `cancelled`: an `AbortSignal` fired, or the peer cancelled
 * - `closed`: the connection is gone
 * - `unsupported`: the peer or the revision in use does not have the feature
 * - `invalid_result`: the peer answered something that its revision does not allow
 * - `too_large`: the peer answered with more than this side takes; the message names the limit and its option
 * - `invalid_definition`: a tool, prompt, resource or schema cannot be used as written
 * - `invalid_argument`: a call into the library with an argument it cannot take
 * - `negotiation`: no common protocol revision, or the handshake failed
 * - `spawn`: a server process could not be started
 * - `http`: a server answered with an HTTP status, a content type or a redirect that is no answer
 * - `unauthorized`: a server requires (other) credentials: HTTP 401 or 403
 * - `session_expired`: a server no longer knows the session; the request did not run
 * - `unavailable`: a store that processes share cannot be reached at the moment; over HTTP the client gets 503
 */
export type McpErrorCode =
  | 'timeout'
  | 'cancelled'
  | 'closed'
  | 'unsupported'
  | 'invalid_result'
  | 'too_large'
  | 'invalid_definition'
  | 'invalid_argument'
  | 'negotiation'
  | 'spawn'
  | 'http'
  | 'unauthorized'
  | 'session_expired'
  | 'unavailable'

/** A failure on this side; `code` is the reason. Never sent to a peer. */
export class McpError extends Error {
  readonly code: McpErrorCode

  constructor(code: McpErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'McpError'
    this.code = code
  }
}

/** Thrown by a tool that ran and failed, for the model to read. The message is shown as written. */
export class ToolError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ToolError'
  }
}

// By name, not by class: two copies of the library in one process still recognise each other's errors.
const isNamed = (value: unknown, name: string): boolean => value instanceof Error && value.name === name

export const isRpcError = (value: unknown): value is RpcError => isNamed(value, 'RpcError')
export const isMcpError = (value: unknown): value is McpError => isNamed(value, 'McpError')
export const isToolError = (value: unknown): value is ToolError => isNamed(value, 'ToolError')
