import { once } from 'node:events'
import { createServer } from 'node:http'

export interface TokenRequestSeen {
  readonly authorization: string | undefined
  readonly form: { readonly [name: string]: string }
}

/** An answer of a token endpoint: a status, and the members of its document. */
export interface TokenAnswer {
  readonly status?: number
  readonly body: { readonly [member: string]: unknown }
}

/** A token endpoint of another product, for grants that our issuer does not have. */
export interface TokenStandIn {
  readonly url: string
  readonly seen: TokenRequestSeen[]
  answer: (request: TokenRequestSeen) => TokenAnswer | Promise<TokenAnswer>
  close(): Promise<void>
}

export async function startTokenStandIn(): Promise<TokenStandIn> {
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const seen = { authorization: request.headers.authorization, form: Object.fromEntries(new URLSearchParams(text)) }
    standIn.seen.push(seen)
    const { status = 200, body } = await standIn.answer(seen)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const standIn: TokenStandIn = {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    seen: [],
    answer: () => ({ status: 500, body: {} }),
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return standIn
}
