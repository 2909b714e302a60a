import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Authenticate, type HttpOptions, type NodeHandler, nodeHandler } from '@tenon/sdk/node'
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
  /** Whether callers have to prove who they are; sessions of before are then of no use. */
  #isGuarded: boolean

  constructor(gateway: Gateway, options: HttpOptions) {
    this.#gateway = gateway
    this.#options = options
    this.#isGuarded = gateway.auth !== undefined
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
    const auth = this.#gateway.auth && currentAuth(this.#gateway)
    const base = name === allServers ? '' : `/servers/${name}`
    const handler = nodeHandler(server, {
      ...this.#gateway.parts.shared?.httpFor(name),
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
    const isGuarded = this.#gateway.auth !== undefined
    const keeps = isGuarded === this.#isGuarded
    this.#isGuarded = isGuarded
    for (const [server, handler] of this.#handlers) {
      if (keeps && servers.has(server)) continue
      this.#handlers.delete(server)
      const ended = handler.close(graceMs).finally(() => this.#ending.delete(ended))
      this.#ending.add(ended)
    }
  }
}

const graceMs = 10_000

/** The name of the virtual server that a path belongs to. Paths without one are those of the whole. */
const serverIn = (path: string): string => /^\/servers\/([^/]+)(?:\/|$)/.exec(path)?.[1] ?? allServers

/** The authentication of the configuration that is in use. */
function currentAuth(gateway: Gateway): Authenticate {
  const nobody: Authenticate = () => undefined
  const now = (): Authenticate => gateway.auth ?? nobody
  const auth: Authenticate = (request, path) => now()(request, path)
  auth.answerAnybody = (request, path) => now().answerAnybody?.(request, path)
  auth.watch = (request, info, ended) => now().watch?.(request, info, ended) ?? (() => {})
  if (gateway.auth?.challengeScopes !== undefined) {
    auth.challengeScopes = (request, scopes, info, path) =>
      now().challengeScopes?.(request, scopes, info, path) ?? {
        'www-authenticate': 'Bearer error="insufficient_scope"',
      }
  }
  return auth
}
