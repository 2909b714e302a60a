import { McpError } from '../../errors.ts'

type CodedError = Error & { code?: string; rawPacket?: Uint8Array }

/** The error for a connection that failed. `answered`: whether the server has ever answered, so that it speaks HTTP. */
export function connectionFailure(url: URL, error: unknown, answered = true): McpError {
  if (error instanceof McpError) return error
  const why = protocolMismatch(url, error, answered) ?? describeFailure(error)
  return new McpError('closed', `The connection to ${url.origin} failed: ${why}`, { cause: error })
}

/** A sentence if the URL says TLS and the port does not speak it, or the reverse. */
function protocolMismatch(url: URL, error: unknown, answered: boolean): string | undefined {
  const coded = innermost(error)
  const other = (protocol: string): string => `${protocol}//${url.host}${url.pathname}`
  if (url.protocol === 'https:')
    return isPlainAnswer(coded) ? `the server does not speak TLS on this port; try ${other('http:')}` : undefined
  if (isTlsAlert(coded)) return `the server speaks TLS on this port; try ${other('https:')}`
  if (answered || !isHangUp(coded)) return undefined
  return `the server closed it without an answer (${coded.message}); if it expects TLS, try ${other('https:')}`
}

function innermost(error: unknown): CodedError {
  const { cause } = error as Error
  return (cause instanceof Error ? cause : error) as CodedError
}

const isPlainAnswer = ({ code, message }: CodedError): boolean =>
  /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL)$/.test(code ?? '') ||
  (code === 'EPROTO' && /wrong version number|packet length too long|http request|unknown protocol/i.test(message))

/** An alert record of TLS in place of a status line. */
const isTlsAlert = ({ code, rawPacket }: CodedError): boolean =>
  code === 'HPE_INVALID_CONSTANT' && rawPacket?.[0] === 0x15 && rawPacket[1] === 0x03

const isHangUp = ({ code }: CodedError): boolean => code === 'ECONNRESET' || code === 'UND_ERR_SOCKET'

function describeFailure(error: unknown): string {
  const { message = String(error), cause, code } = error as CodedError
  return (cause instanceof Error ? `${message}: ${cause.message}` : message) || code || 'unknown'
}
