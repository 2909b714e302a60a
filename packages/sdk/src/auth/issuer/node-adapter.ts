import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Issuer } from './issuer.ts'

const maxBytes = 64 * 1024
const maxThrownAway = 1024 * 1024

/** Answers a request of `node:http` with what `fetch` answers. */
export async function handle(
  fetch: Issuer['fetch'],
  issuer: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await bodyOf(request)
  const url = urlOf(issuer, request)
  if (body === undefined || url === undefined) {
    response.writeHead(body === undefined ? 413 : 400, { connection: 'close' }).end()
    return
  }
  const { method = 'GET' } = request
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const init = { method, headers: headersOf(request), ...(hasBody && { body: new Uint8Array(body) }) }
  const answer = await fetch(new Request(url, init), { address: request.socket.remoteAddress })
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => name !== 'set-cookie'))
  const cookies = answer.headers.getSetCookie()
  response.writeHead(answer.status, { ...headers, ...(cookies.length > 0 && { 'set-cookie': cookies }) })
  response.end(Buffer.from(await answer.arrayBuffer()))
}

/** The scheme is the issuer's: whoever ends TLS in front of this is part of it. */
function urlOf(issuer: string, request: IncomingMessage & { originalUrl?: string }): URL | undefined {
  const { protocol } = new URL(issuer)
  const { headers, url: own = '/' } = request
  // Express cuts off where it is mounted.
  const url = request.originalUrl ?? own
  const whole = `${protocol}//${headers.host ?? ''}${url}`
  return url.startsWith('/') && URL.canParse(whole) ? new URL(whole) : undefined
}

function headersOf({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    if (!rawHeaders[i]!.startsWith(':')) pairs.push([rawHeaders[i]!, rawHeaders[i + 1]!])
  }
  return pairs
}

/** Undefined if there is too much of it. What follows is thrown away, so that whoever sent it can read the answer. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size <= maxBytes) chunks.push(chunk as Buffer)
    else if (size > maxThrownAway) break
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks)
}
