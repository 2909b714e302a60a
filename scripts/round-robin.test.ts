import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { RoundRobin } from './balanced/round-robin.ts'
import { freePort } from './test-redis.ts'

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ending.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

async function balance(...targets: string[]): Promise<RoundRobin> {
  const balancer = await RoundRobin.start(targets)
  ending.push(() => balancer.close())
  return balancer
}

test('each request goes to the next server, with its body, headers and status', async () => {
  const names = ['a', 'b', 'c']
  const servers = names.map((name) =>
    listen(async (request, response) => {
      const body = Buffer.concat(await request.toArray())
      response
        .writeHead(203, { 'x-name': name, connection: 'close' })
        .end(`${request.url} ${request.headers.word} ${body}`)
    }),
  )
  const { url } = await balance(...(await Promise.all(servers)))
  const heard: (string | null)[] = []
  for (const _ of names) {
    const reply = await fetch(`${url}?q`, { method: 'POST', headers: { word: 'hi' }, body: 'body' })
    expect([reply.status, await reply.text()]).toEqual([203, '/mcp?q hi body'])
    heard.push(reply.headers.get('x-name'))
  }
  expect(heard).toEqual(names)
})

test('a stream is passed on as it comes, and its end from either side', async () => {
  let left: Promise<unknown> | undefined
  const target = await listen((_request, response) => {
    left = once(response, 'close')
    response.write('first')
  })
  const { url } = await balance(target)
  const reader = (await fetch(url)).body!.getReader()
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('first')
  await reader.cancel()
  await left
})

test('a server that is away is passed over; one that dies after it got the request is not asked again', async () => {
  const away = `http://127.0.0.1:${await freePort()}/mcp`
  let asked = 0
  const dying = await listen((request) => {
    asked++
    request.socket.destroy()
  })
  const balancer = await balance(away, dying)
  expect((await fetch(balancer.url, { method: 'POST', body: '1' })).status).toBe(502)
  expect(asked).toBe(1)
  balancer.targets = [away]
  expect((await fetch(balancer.url)).status).toBe(502)
})
