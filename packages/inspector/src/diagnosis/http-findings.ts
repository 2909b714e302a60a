import type { UrlSpec } from '../protocol.ts'
import { wantsOAuth } from '../servers/connect-options.ts'
import { type Finding, failed, ok, warned } from './step.ts'

const patienceMs = 10_000

/** A request that servers of every revision can at least refuse. */
const probe = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

export async function lookAtHttp(spec: UrlSpec, keep: Map<'reply', Response>): Promise<Finding> {
  let reply: Response
  try {
    reply = await fetch(spec.url, {
      method: 'POST',
      body: probe,
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...spec.headers },
    })
  } catch (error) {
    const { message, cause } = error as Error
    const why = cause instanceof Error ? cause.message : message
    return failed(`No HTTP reply: ${why}`, 'Is this an HTTP server? Is the scheme right?')
  }
  keep.set('reply', reply)
  await reply.body?.cancel()
  return judge(reply)
}

function judge(reply: Response): Finding {
  const { status } = reply
  const said = `HTTP ${status}, ${reply.headers.get('content-type') ?? 'without a content type'}`
  if (status >= 300 && status < 400) {
    return warned(
      `${said}: redirected to ${reply.headers.get('location') ?? 'nowhere'}`,
      'Use that address, if you trust it.',
    )
  }
  if (status === 404) return failed(said, 'There is nothing at this path. MCP servers often listen at /mcp or /sse.')
  if (status === 405)
    return warned(said, 'A POST is not taken here: it may be a server of 2024-11-05, or another path.')
  if (status === 403) return warned(said, 'It refuses this client: credentials, or a check of Host or Origin.')
  if (status >= 500) return warned(said, 'The server, or something in front of it, has a problem of its own.')
  if (reply.headers.get('content-type')?.includes('text/html')) {
    return warned(said, 'This is a web page. The server may be at another path, or a login is in front of it.')
  }
  return ok(said)
}

/** Only a server that asks for credentials has to say where they come from. */
export async function lookAtWellKnown(url: URL, reply: Response | undefined): Promise<Finding | undefined> {
  if (reply?.status !== 401) return undefined
  const named = /resource_metadata="([^"]+)"/.exec(reply.headers.get('www-authenticate') ?? '')?.[1]
  const path = url.pathname.replace(/\/+$/, '')
  const places = [`/.well-known/oauth-protected-resource${path}`, '/.well-known/oauth-protected-resource']
  for (const place of places) {
    const found = await statusOf(new URL(place, url.origin))
    if (found === 200) return ok(`${place} is there`)
  }
  const hint = 'Clients cannot find out where to get a token. Servers up to 2025-03-26 have no such document.'
  return warned(named === undefined ? 'There is no metadata' : `It names ${named}, which is elsewhere`, hint)
}

const statusOf = async (url: URL): Promise<number> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(patienceMs) }).then(
    async (reply) => {
      await reply.body?.cancel()
      return reply.status
    },
    () => 0,
  )

export function lookAtAuth(spec: UrlSpec, reply: Response | undefined): Finding | undefined {
  if (reply?.status !== 401) return undefined
  const challenge = reply.headers.get('www-authenticate') ?? 'nothing in particular'
  if (wantsOAuth(spec)) return warned(`It asks for ${challenge}`, 'Connect, and sign in where you are asked to.')
  return failed(
    `The credentials are not accepted; it asks for ${challenge}`,
    'Correct the header, or remove it to sign in.',
  )
}
