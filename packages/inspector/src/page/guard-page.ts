import type { RequestListener, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { guardRequests, type RequestHead, readHead } from '@tenon/sdk/node'
import type { Asset } from './assets.ts'
import { lockedPage, missingPage } from './locked-page.ts'
import { type PageAccess, type Refusal, refuseForeign, refuseUnknown } from './refusals.ts'

/** A request that was let in. */
export interface Visit {
  readonly head: RequestHead
  readonly body: Readable
  readonly response: ServerResponse
}

interface GuardedPage {
  readonly access: PageAccess
  /** The headers of every answer at a host. */
  readonly headersAt: (host: string) => { readonly [name: string]: string }
  readonly report: (error: unknown) => void
  readonly answer: (visit: Visit) => void | Promise<void>
}

/** Lets in whoever came with a link, and nobody else. */
export function guardPage({ access, headersAt, report, answer }: GuardedPage): RequestListener {
  return guardRequests((request, response) => {
    const head = readHead(request)
    for (const [name, value] of Object.entries(headersAt(head?.headers.host ?? ''))) response.setHeader(name, value)
    if (head === undefined) return refuse(response, malformed)
    const refusal = refuseForeign(head, access)
    if (refusal !== undefined) return refuse(response, refusal)
    if (takeLink(head, response, access)) return
    const unknown = refuseUnknown(head, access)
    if (unknown !== undefined) return unknown.status === 401 ? lock(response, head) : refuse(response, unknown)
    return answer({ head, body: request, response })
  }, report)
}

const malformed: Refusal = { status: 400, message: 'Expected one Host, and a path in normal form' }

/** The link brings the cookie and leads to the page, whose address no longer has the token in it. */
function takeLink(head: RequestHead, response: ServerResponse, { keys }: PageAccess): boolean {
  const { method, headers, target } = head
  const token = new URLSearchParams(target.query).get('token')
  if (method !== 'GET' || target.path !== '/' || token === null) return false
  // A browser that only looks ahead must not use up the link.
  if (headers['sec-purpose'] !== undefined || headers.purpose === 'prefetch') {
    refuse(response, { status: 503, message: 'Not ahead of time' })
    return true
  }
  const admission = keys.exchange(token)
  if (admission !== undefined) response.setHeader('Set-Cookie', admission.cookie)
  if (admission !== undefined) response.writeHead(303, { Location: `/#key=${admission.key}` }).end()
  else if (keys.knows(headers.cookie)) response.writeHead(303, { Location: '/' }).end()
  else lock(response, head)
  return true
}

/** The page finds its way by the part of the address behind the #, so there is one document. */
export function sendAsset({ head, response }: Visit, assets: ReadonlyMap<string, Asset>, document: string): void {
  const { method, target } = head
  const isDocument = target.path === '/'
  const asset = assets.get(isDocument ? document : target.path)
  if (method !== 'GET' && method !== 'HEAD') refuse(response, { status: 405, message: 'Not this method' })
  else if (asset !== undefined) send(response, 200, asset)
  else if (isDocument) send(response, 503, missingPage)
  else refuse(response, { status: 404, message: 'There is nothing here' })
}

function lock(response: ServerResponse, { target }: RequestHead): void {
  if (target.path === '/') send(response, 401, lockedPage)
  else refuse(response, { status: 401, message: 'Open the link that was shown in the terminal' })
}

function send(response: ServerResponse, status: number, { type, body }: Asset): void {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': body.length }).end(body)
}

function refuse(response: ServerResponse, { status, message }: Refusal): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' }).end(`${message}\n`)
}
