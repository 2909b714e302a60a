import { Agent } from 'node:http'
import { McpError } from '@tenon/sdk/client'

interface HttpAddress {
  readonly target: string
  readonly agent?: object
}

/** Reads the address of a server; `unix:///run/a.sock#/mcp` is HTTP on a socket. */
export function httpAddress(url: string): HttpAddress {
  if (/^(?:https?|wss?):/i.test(url) && URL.canParse(url)) return { target: url }
  const [, socketPath, path = '/'] = /^unix:\/\/([^#]+)(?:#(.*))?$/i.exec(url) ?? []
  if (socketPath === undefined) {
    throw new McpError('invalid_argument', 'url: expected a URL with http, https, ws, wss or unix')
  }
  return { target: `http://localhost${path}`, agent: new Agent({ socketPath, keepAlive: true } as object) }
}
