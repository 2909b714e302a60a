import type { RequestListener } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { loadAssets } from '../page/assets.ts'
import { guardPage, sendAsset, type Visit } from '../page/guard-page.ts'
import { readBody } from '../page/read-body.ts'
import type { PageAccess } from '../page/refusals.ts'
import { securityHeaders } from '../page/security-headers.ts'

/** Where the operators of a gateway are answered. */
export interface OperatorApi {
  readonly url: string
  readonly token: string
}

const maxBodyBytes = 1024 * 1024

/** Answers the browser: the link, the page, and its commands, which the API of the gateway answers. */
export function gatewayListener(
  api: OperatorApi,
  access: PageAccess,
  report: (error: unknown) => void,
): RequestListener {
  const assets = loadAssets()
  const headers = securityHeaders()
  const answer = (visit: Visit): void | Promise<void> => {
    const { method, target } = visit.head
    const command = /^\/api\/(\w{1,40})$/.exec(target.path)?.[1]
    const isCommand = command !== undefined && (method === 'POST' || (method === 'GET' && command === 'traffic'))
    return isCommand ? forward(visit, command, api) : sendAsset(visit, assets, '/gateway.html')
  }
  return guardPage({ access, headersAt: () => headers, report, answer })
}

/** Asks the API, with the token that the browser does not have. */
async function forward({ head, body, response }: Visit, command: string, { url, token }: OperatorApi): Promise<void> {
  const given = head.method === 'POST' ? await readBody(body, maxBodyBytes) : undefined
  if (head.method === 'POST' && given === undefined) return void response.writeHead(413, { Connection: 'close' }).end()
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  try {
    const answered = await fetch(`${url}/api/${command}`, {
      method: head.method,
      headers: { authorization: `Bearer ${token}` },
      signal: gone.signal,
      ...(given !== undefined && { body: given }),
    })
    response.writeHead(answered.status, { 'Content-Type': answered.headers.get('content-type') ?? 'application/json' })
    await pipeline(Readable.fromWeb(answered.body as ReadableStream), response)
  } catch {
    // The browser went away, or the gateway did: then the page hears it, unless its answer has begun.
    if (response.headersSent) response.destroy()
    else {
      response.writeHead(502, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ error: { code: 'unavailable', message: 'The gateway does not answer' } }))
    }
  }
}
