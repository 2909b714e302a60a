import type { RequestListener } from 'node:http'
import { sandboxPage } from '@tenon/sdk/apps/host'
import { guardRequests, readHead } from '@tenon/sdk/node'

/**
 * The address of the sandbox for a page at this host name. A name of this machine is another site than its address, so a
 * browser runs views in another process: one that never pauses does not stop the page.
 */
export const sandboxAddress = (port: number, pageHost: string): string =>
  `http://${pageHost === 'localhost' ? '127.0.0.1' : 'localhost'}:${port}/`

/**
 * Answers on an origin of its own with the one page that stands between the workbench and a view. It holds nothing and knows
 * nothing: code that runs there reaches neither the page of the workbench nor its commands.
 */
export function sandboxListener(
  port: number,
  hostOrigins: readonly string[],
  report: (error: unknown) => void,
): RequestListener {
  return guardRequests((request, response) => {
    const refuse = (status: number): void => void response.writeHead(status, { connection: 'close' }).end()
    const head = readHead(request)
    if (head === undefined) return refuse(400)
    const { host } = head.headers
    if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) return refuse(403)
    if (head.method !== 'GET' && head.method !== 'HEAD') return refuse(405)
    if (head.target.path !== '/') return refuse(404)
    const { html, headers } = sandboxPage({ hostOrigins, url: `/?${head.target.query}` })
    response.writeHead(200, headers).end(html)
  }, report)
}
