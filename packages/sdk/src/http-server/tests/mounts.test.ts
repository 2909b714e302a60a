/** The ways into other people's servers that the docs show. */
import { createServer as createNodeServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { fetchHandler } from '../fetch/fetch-handler.ts'
import { nodeHandler } from '../node/node-handler.ts'
import { callToolRequest, EventReader, type Served, SessionClient, testServer } from './http.suite.ts'

const { server } = testServer()

type Mount = () => Promise<Served>

const listening = (http: ReturnType<typeof createNodeServer>, handler: { close(): Promise<void> }): Promise<Served> =>
  new Promise((resolve) => {
    http.listen(0, '127.0.0.1', () => {
      const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
      const close = async (): Promise<void> => {
        await handler.close()
        http.closeAllConnections()
        http.close()
      }
      resolve({ fetch: (path, init) => fetch(origin + path, init), close })
    })
  })

const mounts: { [name: string]: Mount } = {
  'node:http': () => {
    const handler = nodeHandler(server)
    return listening(createNodeServer(handler), handler)
  },
  Express: () => {
    const handler = nodeHandler(server)
    const app = express()
    app.all(['/mcp', '/sse'], handler)
    return listening(createNodeServer(app), handler)
  },
  'Express, below a router': () => {
    const handler = nodeHandler(server)
    const app = express()
    app.use('/mcp', handler)
    app.use('/sse', handler)
    return listening(createNodeServer(app), handler)
  },
  'Express with express.json()': () => {
    const handler = nodeHandler(server)
    const app = express()
    app.use(express.json())
    app.all(['/mcp', '/sse'], handler)
    return listening(createNodeServer(app), handler)
  },
  Fastify: async () => {
    const handler = nodeHandler(server)
    const app = fastify()
    for (const url of ['/mcp', '/sse']) {
      app.all(url, (request, reply) => {
        reply.hijack()
        handler(request.raw, reply.raw, request.body)
      })
    }
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    const close = async (): Promise<void> => {
      await handler.close()
      app.server.closeAllConnections()
      await app.close()
    }
    return { fetch: (path, init) => fetch(origin + path, init), close }
  },
  Hono: async () => {
    const handler = fetchHandler(server)
    const app = new Hono()
    app.all('/mcp', (c) => handler(c.req.raw))
    app.all('/sse', (c) => handler(c.req.raw))
    return { fetch: async (path, init) => app.request(`http://localhost${path}`, init), close: () => handler.close() }
  },
}

describe.each(Object.entries(mounts))('mounted into %s', (_name, mount) => {
  test('both eras, streams and HTTP+SSE work', async () => {
    const served = await mount()
    try {
      const answer = await served.fetch('/mcp', callToolRequest('echo', { text: 'hi' }))
      expect(await answer.text()).toContain('echo hi')
      const client = await SessionClient.open(served)
      const events = await new EventReader(await client.call('progress', {}, { progressToken: 1 })).rest()
      expect(events).toHaveLength(4)
      expect((await client.delete()).ok).toBe(true)
      const sse = new EventReader(await served.fetch('/sse', { headers: { accept: 'text/event-stream' } }))
      expect((await sse.next())!.data).toMatch(/^\/sse\?sessionId=/)
      await sse.cancel()
    } finally {
      await served.close()
    }
  })

  test('a form post is refused', async () => {
    const served = await mount()
    try {
      const response = await served.fetch('/mcp', callToolRequest('echo', {}, { 'content-type': 'text/plain' }))
      expect(response.status).toBe(415)
    } finally {
      await served.close()
    }
  })
})

test('a handler on a loopback address answers only for the names of this machine', async () => {
  const handler = nodeHandler(server)
  const served = await listening(createNodeServer(handler), handler)
  const { port } = new URL((await served.fetch('/mcp')).url)
  const status = await new Promise((resolve) => {
    request({ port, host: '127.0.0.1', path: '/mcp', headers: { host: 'evil.example.com' } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).end()
  })
  expect(status).toBe(403)
  await served.close()
})
