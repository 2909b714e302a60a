import type { RequestListener } from 'node:http'
import type { Workbench } from '../workbench.ts'
import { runCommand } from './api.ts'
import { loadAssets } from './assets.ts'
import { streamEvents } from './event-stream.ts'
import { guardPage, sendAsset, type Visit } from './guard-page.ts'
import type { PageAccess } from './refusals.ts'
import { sandboxAddress } from './sandbox-listener.ts'
import { securityHeaders } from './security-headers.ts'

/** Answers the browser: the link, the page, its commands and its events. */
export function pageListener(bench: Workbench, access: PageAccess, report: (error: unknown) => void): RequestListener {
  const assets = loadAssets()
  const headersAt = new Map([...access.hosts].map((host) => [host, securityHeaders(framesAt(host, bench))]))
  const headersElsewhere = securityHeaders()
  const answer = (visit: Visit): void | Promise<void> => {
    const { method, target } = visit.head
    const command = /^\/api\/([\w.]{1,40})$/.exec(target.path)?.[1]
    if (command === 'events' && method === 'GET') openEvents(visit, bench)
    else if (command !== undefined && method === 'POST') return answerCommand(command, visit, bench)
    else sendAsset(visit, assets, '/index.html')
  }
  return guardPage({ access, headersAt: (host) => headersAt.get(host) ?? headersElsewhere, report, answer })
}

const framesAt = (host: string, { sandboxPort }: Workbench): string[] =>
  sandboxPort === undefined ? [] : [new URL(sandboxAddress(sandboxPort, host.replace(/:\d+$/, ''))).origin]

function openEvents({ head, response }: Visit, bench: Workbench): void {
  const { 'last-event-id': last } = head.headers
  const after = typeof last === 'string' ? last : new URLSearchParams(head.target.query).get('after')
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' })
  streamEvents(response, bench, after ?? undefined)
}

async function answerCommand(name: string, { body, response }: Visit, bench: Workbench): Promise<void> {
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
