import type { IncomingMessage, ServerResponse } from 'node:http'
import { guardRequests, type RequestHead, readHead } from '@tenon/sdk/node'
import type { Issuer } from '../issuer.ts'

const maxBytes = 64 * 1024
const maxThrownAway = 1024 * 1024

/** A host with an optional port: with a slash in it, a part of `Host` would become the path. */
const authority = /^(?:\[[\da-f:.]+\]|[\w.~-]+)(?::\d{1,5})?$/i

/** A listener for `node:http` that answers as `fetch` does, and never throws. */
export const nodeListener = (
  fetch: Issuer['fetch'],
  issuer: string,
  report: (error: unknown) => void,
): ReturnType<typeof guardRequests> =>
  guardRequests((request, response) => handle(fetch, issuer, request, response), report)

async function handle(
  fetch: Issuer['fetch'],
  issuer: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await bodyOf(request).catch(() => 'gone' as const)
  if (body === 'gone') return void response.destroy()
  const asked = requestOf(issuer, request, body ?? Buffer.alloc(0))
  if (body === undefined || asked === undefined) {
    response.writeHead(body === undefined ? 413 : 400, { connection: 'close' }).end()
    return
  }
  const answer = await fetch(asked, { address: request.socket.remoteAddress })
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => name !== 'set-cookie'))
  const cookies = answer.headers.getSetCookie()
  response.writeHead(answer.status, { ...headers, ...(cookies.length > 0 && { 'set-cookie': cookies }) })
  response.end(Buffer.from(await answer.arrayBuffer()))
}

/** The same request by the Fetch standard; undefined if that has no such request. */
function requestOf(issuer: string, request: IncomingMessage, body: Buffer): Request | undefined {
  const head = readHead(request)
  const url = head && urlOf(issuer, head)
  if (head === undefined || url === undefined) return undefined
  const { method } = head
  const hasBody = method !== 'GET' && method !== 'HEAD'
  try {
    return new Request(url, { method, headers: headersOf(request), ...(hasBody && { body: new Uint8Array(body) }) })
  } catch {
    // Such as the method TRACE, which the standard forbids.
    return undefined
  }
}

/** The scheme is the issuer's: a proxy in front may end TLS. */
function urlOf(issuer: string, { headers: { host = '' }, target }: RequestHead): URL | undefined {
  const { path, query } = target
  const whole = `${new URL(issuer).protocol}//${host}${path}${query === '' ? '' : `?${query}`}`
  return authority.test(host) && URL.canParse(whole) ? new URL(whole) : undefined
}

function headersOf({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    if (!rawHeaders[i]!.startsWith(':')) pairs.push([rawHeaders[i]!, rawHeaders[i + 1]!])
  }
  return pairs
}

/** Undefined if it is too large. The rest is read and dropped, so that the client can read the response. */
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
