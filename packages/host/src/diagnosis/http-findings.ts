import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { type Finding, failed, ok, warned } from './step.ts'
import type { AddressSubject } from './url-steps.ts'

const patienceMs = 10_000

/** A request that servers of every revision can at least refuse. */
const probe = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

/** The head of a reply. */
export interface HttpReply {
  status: number
  header(name: string): string | undefined
}

interface Exchange {
  method: 'GET' | 'POST'
  headers?: { [name: string]: string }
  body?: string
}

/** Sends one request, follows no redirect and reads no body. */
function exchange(url: URL, { tls = {} }: AddressSubject, { method, headers, body }: Exchange): Promise<HttpReply> {
  const { ca, rejectUnauthorized } = tls
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const trust = { ...(ca && { ca: [...ca] }), ...(rejectUnauthorized === false && { rejectUnauthorized }) }
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(patienceMs)
    const sent = request(url, { method, headers, signal, agent: false, ...trust }, (reply: IncomingMessage) => {
      const { statusCode: status = 0, headers: found } = reply
      reply.destroy()
      resolve({ status, header: (name) => [found[name]].flat().join(', ') || undefined })
    })
    sent.on('error', (error) => reject(signal.aborted ? new Error(`no reply within ${patienceMs} ms`) : error))
    sent.end(body)
  })
}

export async function lookAtHttp(subject: AddressSubject, keep: Map<'reply', HttpReply>): Promise<Finding> {
  try {
    const reply = await exchange(new URL(subject.url), subject, {
      method: 'POST',
      body: probe,
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...subject.headers,
      },
    })
    keep.set('reply', reply)
    return judge(reply)
  } catch (error) {
    return failed(`No HTTP reply: ${(error as Error).message}`, 'Is this an HTTP server? Is the scheme right?')
  }
}

function judge(reply: HttpReply): Finding {
  const { status } = reply
  const said = `HTTP ${status}, ${reply.header('content-type') ?? 'without a content type'}`
  if (status >= 300 && status < 400) {
    return warned(
      `${said}: redirected to ${reply.header('location') ?? 'nowhere'}`,
      'Use that address, if you trust it.',
    )
  }
  if (status === 404) return failed(said, 'There is nothing at this path. MCP servers often listen at /mcp or /sse.')
  if (status === 405)
    return warned(said, 'A POST is not taken here: it may be a server of 2024-11-05, or another path.')
  if (status === 403) return warned(said, 'It refuses this client: credentials, or a check of Host or Origin.')
  if (status >= 500) return warned(said, 'The server, or something in front of it, has a problem of its own.')
  if (reply.header('content-type')?.includes('text/html')) {
    return warned(said, 'This is a web page. The server may be at another path, or a login is in front of it.')
  }
  return ok(said)
}

/** Only a server that asks for credentials has to say where they come from. */
export async function lookAtWellKnown(
  url: URL,
  reply: HttpReply | undefined,
  subject: AddressSubject,
): Promise<Finding | undefined> {
  if (reply?.status !== 401) return undefined
  const named = /resource_metadata="([^"]+)"/.exec(reply.header('www-authenticate') ?? '')?.[1]
  const path = url.pathname.replace(/\/+$/, '')
  const places = [`/.well-known/oauth-protected-resource${path}`, '/.well-known/oauth-protected-resource']
  for (const place of places) {
    const found = await exchange(new URL(place, url.origin), subject, { method: 'GET' }).catch(() => undefined)
    if (found?.status === 200) return ok(`${place} is there`)
  }
  const hint = 'Clients cannot find out where to get a token. Servers up to 2025-03-26 have no such document.'
  return warned(named === undefined ? 'There is no metadata' : `It names ${named}, which is elsewhere`, hint)
}

export function lookAtAuth({ loginHint }: AddressSubject, reply: HttpReply | undefined): Finding | undefined {
  if (reply?.status !== 401) return undefined
  const challenge = reply.header('www-authenticate') ?? 'nothing in particular'
  if (loginHint !== undefined) return warned(`It asks for ${challenge}`, loginHint)
  return failed(
    `The credentials are not accepted; it asks for ${challenge}`,
    'Correct the header, or remove it to sign in.',
  )
}
