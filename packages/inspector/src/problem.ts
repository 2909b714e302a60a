import { ErrorCode, isHttpError, isMcpError, isRpcError, type McpErrorCode, RpcError } from '@tenon/sdk/client'
import type { Problem } from './protocol.ts'

/** A request of the page that cannot be done; the message is shown as written. */
export class RequestProblem extends Error {
  readonly problem: Problem

  constructor(message: string, hint?: string) {
    super(message)
    this.name = 'RequestProblem'
    this.problem = { kind: 'request', message, ...(hint !== undefined && { hint }) }
  }
}

/** A question that the person declined. If no answer can say so, it ends the call that led to it. */
export class DeclinedByPerson extends RpcError {
  constructor() {
    super(ErrorCode.UserRejected, 'The user rejected the sampling request')
  }
}

const kinds: ReadonlyMap<McpErrorCode, Problem['kind']> = new Map([
  ['timeout', 'timeout'],
  ['cancelled', 'cancelled'],
  ['unauthorized', 'unauthorized'],
  ['invalid_result', 'invalid'],
  ['too_large', 'too_large'],
  ['negotiation', 'invalid'],
  ['unsupported', 'request'],
  ['invalid_argument', 'request'],
])

const largerMessages = 'Allow larger messages in the settings of the server, under More settings: Largest message.'

/** Anything that was thrown, in words for the page. */
export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof RequestProblem) return thrown.problem
  if (thrown instanceof DeclinedByPerson) return { kind: 'cancelled', message: 'You declined what the server asked' }
  if (isRpcError(thrown)) {
    const { code, message, data } = thrown
    return { kind: 'protocol', code, message, ...(data !== undefined && { data }) }
  }
  if (isHttpError(thrown)) {
    const { code, message, status, body } = thrown
    const kind = code === 'unauthorized' ? 'unauthorized' : 'transport'
    return { kind, code, message, data: { status, ...(body !== '' && { body }) } }
  }
  if (isMcpError(thrown)) {
    const { code, message } = thrown
    return {
      kind: kinds.get(code) ?? 'transport',
      code,
      message,
      ...(code === 'too_large' && { hint: largerMessages }),
    }
  }
  return { kind: 'transport', message: thrown instanceof Error ? thrown.message : String(thrown) }
}
