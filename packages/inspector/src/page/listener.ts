import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Workbench } from '../workbench.ts'
import { runCommand } from './api.ts'
import { type Asset, loadAssets } from './assets.ts'
import { streamEvents } from './event-stream.ts'
import { lockedPage, missingPage } from './locked-page.ts'
import { type Gate, type Refusal, refuseForeign, refuseUnknown } from './refusals.ts'
import { sandboxAddress } from './sandbox-listener.ts'
import { securityHeaders } from './security-headers.ts'

/** Answers the browser: the link, the page, its commands and its events. */
export function pageListener(bench: Workbench, gate: Gate): RequestListener {
  const assets = loadAssets()
  const headersAt = new Map([...gate.hosts].map((host) => [host, securityHeaders(framesAt(host, bench))]))
  const headersElsewhere = securityHeaders()
  return (request, response) => {
    const headers = headersAt.get(request.headers.host ?? '') ?? headersElsewhere
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    const refusal = refuseForeign(request, gate)
    if (refusal !== undefined) return refuse(response, refusal)
    const url = new URL(request.url ?? '/', 'http://workbench')
    if (takeLink(request, response, url, gate)) return
    const unknown = refuseUnknown(request, gate)
    if (unknown !== undefined) return unknown.status === 401 ? lock(response, url) : refuse(response, unknown)
    answer(request, response, url, bench, assets)
  }
}

const framesAt = (host: string, { sandboxPort }: Workbench): string[] =>
  sandboxPort === undefined ? [] : [new URL(sandboxAddress(sandboxPort, host.replace(/:\d+$/, ''))).origin]

/** The link brings the cookie and leads to the page, whose address no longer has the token in it. */
function takeLink({ method, headers }: IncomingMessage, response: ServerResponse, url: URL, { keys }: Gate): boolean {
  const token = url.searchParams.get('token')
  if (method !== 'GET' || url.pathname !== '/' || token === null) return false
  // A browser that only looks ahead must not use up the link.
  if (headers['sec-purpose'] !== undefined || headers.purpose === 'prefetch') {
    refuse(response, { status: 503, message: 'Not ahead of time' })
    return true
  }
  const admission = keys.exchange(token)
  if (admission !== undefined) response.setHeader('Set-Cookie', admission.cookie)
  if (admission !== undefined) response.writeHead(303, { Location: `/#key=${admission.key}` }).end()
  else if (keys.knows(headers.cookie)) response.writeHead(303, { Location: '/' }).end()
  else lock(response, url)
  return true
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  bench: Workbench,
  assets: ReadonlyMap<string, Asset>,
): void {
  const { method } = request
  const command = /^\/api\/([\w.]{1,40})$/.exec(url.pathname)?.[1]
  if (command === 'events' && method === 'GET') openEvents(request, response, url, bench)
  else if (command !== undefined && method === 'POST') void answerCommand(command, request, response, bench)
  else if (method === 'GET' || method === 'HEAD') sendAsset(response, url, assets)
  else refuse(response, { status: 405, message: 'Not this method' })
}

function openEvents(request: IncomingMessage, response: ServerResponse, url: URL, bench: Workbench): void {
  const { 'last-event-id': last } = request.headers
  const after = typeof last === 'string' ? last : url.searchParams.get('after')
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' })
  streamEvents(response, bench, after ?? undefined)
}

/** The page finds its way by the part of the address behind the #, so there is one document. */
function sendAsset(response: ServerResponse, url: URL, assets: ReadonlyMap<string, Asset>): void {
  const asset = assets.get(url.pathname === '/' ? '/index.html' : url.pathname)
  if (asset !== undefined) send(response, 200, asset)
  else if (url.pathname === '/') send(response, 503, missingPage)
  else refuse(response, { status: 404, message: 'There is nothing here' })
}

async function answerCommand(
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
  bench: Workbench,
): Promise<void> {
  try {
    const { status, reply } = await runCommand(name, request, bench)
    // What was not read of a body that is too large would be taken for the next request.
    if (status === 413) response.setHeader('Connection', 'close')
    response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(reply))
  } catch {
    // The browser went away while it was sending.
    response.destroy()
  }
}

function lock(response: ServerResponse, url: URL): void {
  if (url.pathname === '/') send(response, 401, lockedPage)
  else refuse(response, { status: 401, message: 'Open the link that was shown in the terminal' })
}

function send(response: ServerResponse, status: number, { type, body }: Asset): void {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': body.length }).end(body)
}

function refuse(response: ServerResponse, { status, message }: Refusal): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' }).end(`${message}\n`)
}
