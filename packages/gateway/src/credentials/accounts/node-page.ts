import type { IncomingMessage, ServerResponse } from 'node:http'
import { guardRequests, readHead } from '@tenon/sdk/node'
import type { PageRequest } from './accounts-page.ts'
import type { Reply } from './html.ts'

const maxBytes = 16 * 1024
const bodyTimeoutMs = 10_000

/** A listener for `node:http`. It never throws. */
export const pageListener = (
  answer: (request: PageRequest) => Promise<Reply>,
  report: (error: unknown) => void,
): ReturnType<typeof guardRequests> =>
  guardRequests(async (request, response) => {
    const head = readHead(request)
    const body = head === undefined ? undefined : await bodyOf(request)
    if (head === undefined || body === undefined) return void response.writeHead(400, { connection: 'close' }).end()
    const { method, target } = head
    send(response, await answer({ method, target, raw: request, form: new URLSearchParams(body) }))
  }, report)

function send(response: ServerResponse, { status, headers, body = '' }: Reply): void {
  response.writeHead(status, { ...headers } as { [name: string]: string | string[] }).end(body)
}

/** A short form; undefined if it is long, slow, or no form. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  if (request.method !== 'POST') return ''
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')) return undefined
  const timer = setTimeout(() => request.destroy(), bodyTimeoutMs)
  try {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) return undefined
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
