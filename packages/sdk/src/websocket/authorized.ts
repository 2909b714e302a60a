import type { ClientAuth } from '../http-client/client-auth.ts'
import type { Channel } from '../jsonrpc/channel.ts'
import { type WebSocketOptions, webSocketChannel } from './connect.ts'
import { UpgradeRefused } from './upgrade-refused.ts'

/** A nonce, an expired token and a missing scope may each cost a round. */
const maxRefusals = 4

/** Connects with credentials: obtained before the first request, and again when the server refuses them. */
export async function authorizedChannel(url: URL, auth: ClientAuth, options: WebSocketOptions = {}): Promise<Channel> {
  const { signal = new AbortController().signal } = options
  const server = httpUrl(url)
  const about = { method: 'GET', url: server, server, signal }
  for (let refusals = 0; ; refusals++) {
    const sent = await auth.headers(about)
    try {
      const channel = await webSocketChannel(url, { ...options, headers: { ...options.headers, ...sent } })
      auth.answered?.(about, { status: 101, header: () => undefined })
      return channel
    } catch (error) {
      if (!(error instanceof UpgradeRefused)) throw error
      const { status, header } = error
      auth.answered?.(about, { status, header })
      if ((status !== 401 && status !== 403) || refusals === maxRefusals) throw error
      const challenge = { ...about, status, wwwAuthenticate: header('www-authenticate'), sent, refusals }
      if (!(await auth.challenged(challenge))) throw error
    }
  }
}

/** The server as metadata and tokens name it. */
function httpUrl(url: URL): URL {
  const http = new URL(url)
  http.protocol = url.protocol === 'wss:' ? 'https:' : 'http:'
  return http
}
