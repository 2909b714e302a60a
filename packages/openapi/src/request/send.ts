import { ToolError } from '@tenon/sdk/server'
import type { ServiceRequest } from './build-request.ts'

const maxRedirects = 5

interface SendOptions {
  readonly method: string
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly fetch: typeof fetch
}

/**
 * Sends a request. Redirects are followed to the same origin only: credentials and data never reach another one. Messages
 * name the method and the host, since a URL may have a key in its query.
 */
export async function send(request: ServiceRequest, options: SendOptions): Promise<Response> {
  const { signal, timeoutMs, fetch } = options
  const { headers, cookies } = request
  if (cookies.length > 0) {
    headers.set(
      'cookie',
      cookies.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('; '),
    )
  }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  let { url, body } = request
  let method = options.method.toUpperCase()
  for (let redirects = 0; ; redirects++) {
    const init = {
      method,
      headers,
      redirect: 'manual',
      signal: limit,
      ...(body !== undefined && { body }),
    } as RequestInit
    const response = await fetch(url, init).catch((error: unknown) => {
      throw failure(error, url, signal, timeoutMs)
    })
    const location = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || response.status === 304 || location === null) return response
    await response.body?.cancel()
    const next = redirectTarget(location, url, redirects)
    if (response.status === 303 || (method === 'POST' && response.status < 303)) {
      method = 'GET'
      body = undefined
      headers.delete('content-type')
    }
    url = next
  }
}

function redirectTarget(location: string, from: URL, redirects: number): URL {
  if (redirects >= maxRedirects) throw new ToolError(`${from.host} redirects more than ${maxRedirects} times`)
  const next = URL.canParse(location, from) ? new URL(location, from) : undefined
  if (next?.origin === from.origin) return next
  throw new ToolError(`${from.host} redirects to ${next?.origin ?? 'an invalid address'}, which is not followed`)
}

function failure(error: unknown, { host }: URL, signal: AbortSignal, timeoutMs: number): unknown {
  if (signal.aborted) return signal.reason
  if ((error as Error).name === 'TimeoutError')
    return new ToolError(`${host} did not answer within ${timeoutMs / 1000} s`)
  const { cause } = error as Error & { cause?: { code?: string; message?: string } }
  return new ToolError(`${host} cannot be reached: ${cause?.code ?? cause?.message ?? (error as Error).message}`)
}
