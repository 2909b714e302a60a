import type { RequestListener, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { guardRequests, type RequestHead, readHead } from '@tenon/sdk/node'
import type { Workbench } from '../workbench.ts'
import { runCommand } from './api.ts'
import { type Asset, loadAssets } from './assets.ts'
import { streamEvents } from './event-stream.ts'
import { lockedPage, missingPage } from './locked-page.ts'
import { type PageAccess, type Refusal, refuseForeign, refuseUnknown } from './refusals.ts'
import { sandboxAddress } from './sandbox-listener.ts'
import { securityHeaders } from './security-headers.ts'

/** Answers the browser: the link, the page, its commands and its events. */
export function pageListener(bench: Workbench, access: PageAccess, report: (error: unknown) => void): RequestListener {
  const assets = loadAssets()
  const headersAt = new Map([...access.hosts].map((host) => [host, securityHeaders(framesAt(host, bench))]))
  const headersElsewhere = securityHeaders()
  return guardRequests((request, response) => {
    const head = readHead(request)
    const headers = headersAt.get(head?.headers.host ?? '') ?? headersElsewhere
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    if (head === undefined) return refuse(response, malformed)
    const refusal = refuseForeign(head, access)
    if (refusal !== undefined) return refuse(response, refusal)
    if (takeLink(head, response, access)) return
    const unknown = refuseUnknown(head, access)
    if (unknown !== undefined) return unknown.status === 401 ? lock(response, head) : refuse(response, unknown)
    return answer({ head, body: request, response, bench, assets })
  }, report)
}

const malformed: Refusal = { status: 400, message: 'Expected one Host, and a path in normal form' }

/** A request that was let in. */
interface Visit {
  head: RequestHead
  body: Readable
  response: ServerResponse
  bench: Workbench
  assets: ReadonlyMap<string, Asset>
}

const framesAt = (host: string, { sandboxPort }: Workbench): string[] =>
  sandboxPort === undefined ? [] : [new URL(sandboxAddress(sandboxPort, host.replace(/:\d+$/, ''))).origin]

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

function answer(visit: Visit): void | Promise<void> {
  const { method, target } = visit.head
  const command = /^\/api\/([\w.]{1,40})$/.exec(target.path)?.[1]
  if (command === 'events' && method === 'GET') openEvents(visit)
  else if (command !== undefined && method === 'POST') return answerCommand(command, visit)
  else if (method === 'GET' || method === 'HEAD') sendAsset(visit)
  else refuse(visit.response, { status: 405, message: 'Not this method' })
}

function openEvents({ head, response, bench }: Visit): void {
  const { 'last-event-id': last } = head.headers
  const after = typeof last === 'string' ? last : new URLSearchParams(head.target.query).get('after')
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' })
  streamEvents(response, bench, after ?? undefined)
}

/** The page finds its way by the part of the address behind the #, so there is one document. */
function sendAsset({ head, response, assets }: Visit): void {
  const { path } = head.target
  const asset = assets.get(path === '/' ? '/index.html' : path)
  if (asset !== undefined) send(response, 200, asset)
  else if (path === '/') send(response, 503, missingPage)
  else refuse(response, { status: 404, message: 'There is nothing here' })
}

async function answerCommand(name: string, { body, response, bench }: Visit): Promise<void> {
  try {
    const { status, reply } = await runCommand(name, body, bench)
    // The unread rest of a body that is too large would be taken for the next request.
    if (status === 413) response.setHeader('Connection', 'close')
    response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(reply))
  } catch {
    // The browser went away while it was sending.
    response.destroy()
  }
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
