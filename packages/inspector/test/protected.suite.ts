import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Faults, type Issuer, type IssuerOptions, issuer } from '@tenon/issuer'
import { bearer } from '@tenon/sdk/auth/server'
import { nodeHandler } from '@tenon/sdk/node'
import { createServer, requireScopes, tool } from '@tenon/sdk/server'

const definition = createServer({
  name: 'vault',
  version: '1.0.0',
  tools: [
    tool({ name: 'whoami', run: (_input, { auth }) => `${auth?.principal?.split('/').at(-1)}` }),
    tool({
      name: 'write',
      run: (_input, ctx) => {
        requireScopes(ctx, 'notes:write')
        return 'written'
      },
    }),
  ],
})

interface Answer {
  status?: number
  type?: string
  headers?: { [name: string]: string }
  body: string
}

/** A server that demands a token and the one that issues tokens, with switches for faults. */
export class ProtectedWorld implements AsyncDisposable {
  readonly url: string
  readonly issuer: string
  readonly faults: Faults
  /** Answers at a path of either, instead of the real ones. */
  readonly tampered = new Map<string, Answer>()
  /** Every request to either, as `METHOD /path`. */
  readonly seen: string[] = []
  readonly #servers: Server[]

  private constructor(servers: Server[], [url, issuerUrl]: [string, string], faults: Faults) {
    this.#servers = servers
    this.url = url
    this.issuer = issuerUrl
    this.faults = faults
  }

  static async start(options: Partial<IssuerOptions> = {}): Promise<ProtectedWorld> {
    const servers = [createHttp(), createHttp()]
    const [resource, own] = await Promise.all(servers.map(listen))
    const as: Issuer = issuer({
      users: [{ subject: 'ada', name: 'Ada' }],
      faults: {},
      rateLimits: false,
      ...options,
      url: own!,
    })
    const auth = bearer({ issuer: own!, resource: `${resource}/mcp`, scopesSupported: ['notes:read'] })
    const handler = nodeHandler(definition, { auth })
    const world = new ProtectedWorld(servers, [`${resource}/mcp`, own!], as.faults)
    servers[0]!.on('request', (request, reply) => world.#tamper(request, reply) || handler(request, reply))
    servers[1]!.on('request', (request, reply) => world.#tamper(request, reply) || void as.handle(request, reply))
    return world
  }

  tamper(path: string, body: unknown, more: Omit<Answer, 'body'> = {}): void {
    this.tampered.set(path, { body: typeof body === 'string' ? body : JSON.stringify(body), ...more })
  }

  #tamper(request: IncomingMessage, reply: ServerResponse): boolean {
    const { pathname } = new URL(request.url!, 'http://any')
    this.seen.push(`${request.method} ${pathname}`)
    const answer = this.tampered.get(pathname)
    if (answer === undefined) return false
    const { status = 200, type = 'application/json', headers = {}, body } = answer
    request.resume()
    reply.writeHead(status, { 'content-type': type, ...headers }).end(body)
    return true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  )
