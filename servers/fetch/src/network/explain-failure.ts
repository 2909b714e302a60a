import { isToolError, ToolError } from '@tenon/sdk/server'
import { ConnectTimeout } from './http-get.ts'
import type { DownloadLimits } from './limits.ts'

const reasons = new Map([
  ['ECONNREFUSED', 'the host refused the connection'],
  ['ECONNRESET', 'the host closed the connection'],
  ['EHOSTUNREACH', 'the host cannot be reached'],
  ['ENETUNREACH', 'the network cannot be reached'],
  ['EPIPE', 'the host closed the connection'],
  ['HPE_HEADER_OVERFLOW', 'the headers of the answer are longer than 16 KiB'],
  ['Z_DATA_ERROR', 'the compressed answer is damaged'],
  ['Z_BUF_ERROR', 'the compressed answer ends too early'],
])

/** The error for the model: what failed, and why. A call that the client cancelled keeps its own reason. */
export function explainFailure(error: unknown, url: URL, caller: AbortSignal, limits: DownloadLimits): unknown {
  if (caller.aborted) return caller.reason
  if (isToolError(error)) {
    return error.message.includes('://') ? error : new ToolError(`Failed to fetch ${url.href}: ${error.message}`)
  }
  return new ToolError(`Failed to fetch ${url.href}: ${reasonOf(error, limits)}`)
}

function reasonOf(error: unknown, { timeoutMs, connectTimeoutMs }: DownloadLimits): string {
  if (error instanceof ConnectTimeout) return `no connection within ${connectTimeoutMs} ms`
  const { name, code = '', message, errors } = error as NodeJS.ErrnoException & { errors?: unknown[] }
  if (name === 'TimeoutError') return `no complete answer within ${timeoutMs} ms`
  // Each address that was tried has an error of its own.
  if (errors?.[0] !== undefined) return reasonOf(errors[0], { timeoutMs, connectTimeoutMs } as DownloadLimits)
  if (code.startsWith('HPE_')) return reasons.get(code) ?? `the answer is not valid HTTP (${code})`
  if (/CERT|ISSUER|SIGNATURE/.test(code)) return `the certificate of the host is not valid (${code})`
  if (code.startsWith('ERR_') || code === '') return message.slice(0, 200)
  return `${reasons.get(code) ?? 'the connection failed'} (${code})`
}
