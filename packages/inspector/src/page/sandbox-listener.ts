import type { RequestListener, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { sandboxPage } from '@tenon/sdk/apps/host'
import { guardRequests, type RequestHead, readHead } from '@tenon/sdk/node'
import type { Violations } from '../apps/violations.ts'
import { readBody } from './read-body.ts'

/** The parameter of the address of the sandbox that names its view. */
export const viewParameter = 'view'

const reportPath = '/violations'
const maxReportBytes = 64 * 1024

/**
 * The address of the sandbox for a page at this host name. A name of this machine is another site than its address, so a
 * browser runs views in another process: one that never pauses does not stop the page.
 */
export const sandboxAddress = (port: number, pageHost: string): string =>
  `http://${pageHost === 'localhost' ? '127.0.0.1' : 'localhost'}:${port}/`

/**
 * Answers on an origin of its own with the one page that stands between the workbench and a view. It holds nothing and knows
 * nothing: code that runs there reaches neither the page of the workbench nor its commands. The browser reports here whatever
 * the policy of a view has blocked.
 */
export function sandboxListener(
  port: number,
  hostOrigins: readonly string[],
  violations: Violations,
  report: (error: unknown) => void,
): RequestListener {
  return guardRequests((request, response) => {
    const refuse = (status: number): void => void response.writeHead(status, { connection: 'close' }).end()
    const head = readHead(request)
    if (head === undefined) return refuse(400)
    const { host } = head.headers
    if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) return refuse(403)
    const view = new URLSearchParams(head.target.query).get(viewParameter) ?? ''
    if (isReport(head, view, violations)) return takeReport(view, request, response, violations)
    if (head.method !== 'GET' && head.method !== 'HEAD') return refuse(405)
    if (head.target.path !== '/') return refuse(404)
    const { html, headers } = sandboxPage({ hostOrigins, url: `/?${head.target.query}` })
    const policy = headers['content-security-policy']!
    const reported = violations.isKnown(view)
      ? `${policy}; report-uri http://${host}${reportPath}?${viewParameter}=${view}`
      : policy
    response.writeHead(200, { ...headers, 'content-security-policy': reported }).end(html)
  }, report)
}

/** Only browsers send this type without asking first, and only for a view whose name they know. */
const isReport = ({ method, target, headers }: RequestHead, view: string, violations: Violations): boolean =>
  method === 'POST' &&
  target.path === reportPath &&
  headers['content-type'] === 'application/csp-report' &&
  violations.isKnown(view)

async function takeReport(
  view: string,
  body: Readable,
  response: ServerResponse,
  violations: Violations,
): Promise<void> {
  try {
    const text = await readBody(body, maxReportBytes)
    if (text === undefined) return void response.writeHead(413, { connection: 'close' }).end()
    violations.report(view, JSON.parse(text))
    response.writeHead(204).end()
  } catch {
    // The browser went away, or this was no JSON.
    response.destroy()
  }
}
