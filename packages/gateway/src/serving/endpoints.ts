import type { IncomingMessage, ServerResponse } from 'node:http'
import { type HttpOptions, type NodeHandler, nodeHandler } from '@tenon/sdk/node'
import type { Server } from '@tenon/sdk/server'
import { allServers } from '../config/model.ts'
import type { Gateway } from '../gateway.ts'

/** Metadata about an endpoint is at its path, behind this. */
const wellKnown = /^\/\.well-known\/[\w-]+(?=\/|$)/

/** The endpoints of the virtual servers. They come and go with the configuration. */
export class Endpoints {
  readonly #gateway: Gateway
  readonly #options: HttpOptions
  readonly #handlers = new Map<Server, NodeHandler>()
  readonly #ending = new Set<Promise<void>>()
  readonly #stop: () => void

  constructor(gateway: Gateway, options: HttpOptions) {
    this.#gateway = gateway
    this.#options = options
    this.#stop = gateway.onChange(() => this.#prune())
  }

  answer(path: string, request: IncomingMessage, response: ServerResponse): void {
    const name = serverIn(path.replace(wellKnown, ''))
    const server = this.#gateway.server(name)
    if (server === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n')
      return
    }
    this.#handler(name, server)(request, response)
  }

  async close(graceMs: number): Promise<void> {
    this.#stop()
    await Promise.all([...this.#handlers.values()].map((handler) => handler.close(graceMs)))
    await Promise.all(this.#ending)
  }

  #handler(name: string, server: Server): NodeHandler {
    const known = this.#handlers.get(server)
    if (known !== undefined) return known
    const { auth } = this.#gateway
    const base = name === allServers ? '' : `/servers/${name}`
    const handler = nodeHandler(server, {
      ...this.#options,
      path: `${base}/mcp`,
      sse: `${base}/sse`,
      ...(auth && { auth }),
    })
    this.#handlers.set(server, handler)
    return handler
  }

  /** Ends the endpoints of virtual servers that the configuration has no more; calls under way get their time. */
  #prune(): void {
    const servers = new Set(this.#gateway.names.map((name) => this.#gateway.server(name)))
    for (const [server, handler] of this.#handlers) {
      if (servers.has(server)) continue
      this.#handlers.delete(server)
      const ended = handler.close(graceMs).finally(() => this.#ending.delete(ended))
      this.#ending.add(ended)
    }
  }
}

const graceMs = 60_000

/** The name of the virtual server that a path belongs to. Paths without one are those of the whole. */
const serverIn = (path: string): string => /^\/servers\/([^/]+)(?:\/|$)/.exec(path)?.[1] ?? allServers
