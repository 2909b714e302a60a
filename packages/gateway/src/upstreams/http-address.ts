import { Agent } from 'node:http'
import type { UpstreamOptions } from '@tenon/bridge'
import { McpError } from '@tenon/sdk/client'
import { Agent as Connections } from 'undici'

interface HttpAddress {
  readonly target: string
  readonly connect: UpstreamOptions
  close?(): Promise<void>
}

// A connection that is kept longer may be one that the server closes just then.
const connectionSettings = { keepAliveTimeout: 4_000, connect: { timeout: 10_000 } }

/** Reads the address of a server; `unix:///run/a.sock#/mcp` is HTTP on a socket. */
export function httpAddress(url: string): HttpAddress {
  if (/^wss?:/i.test(url) && URL.canParse(url)) return { target: url, connect: {} }
  if (/^https?:/i.test(url) && URL.canParse(url)) {
    const dispatcher = new Connections(connectionSettings)
    return { target: url, connect: { dispatcher }, close: () => dispatcher.destroy() }
  }
  const [, socketPath, path = '/'] = /^unix:\/\/([^#]+)(?:#(.*))?$/i.exec(url) ?? []
  if (socketPath === undefined) {
    throw new McpError('invalid_argument', 'url: expected a URL with http, https, ws, wss or unix')
  }
  const agent = new Agent({ socketPath, keepAlive: true } as object)
  return { target: `http://localhost${path}`, connect: { agent }, close: async () => agent.destroy() }
}
