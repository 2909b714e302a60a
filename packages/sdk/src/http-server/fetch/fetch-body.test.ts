import { expect, test } from 'vitest'
import { createServer } from '../../server/server.ts'
import type { HttpOptions } from '../options.ts'
import { fetchHandler } from './fetch-handler.ts'

const url = 'http://127.0.0.1/mcp'
const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

async function statusOf(init: RequestInit, options: HttpOptions = {}): Promise<number> {
  const handler = fetchHandler(createServer({ name: 'test', version: '1' }), options)
  const headers = { 'content-type': 'application/json', ...(init.headers as Record<string, string>) }
  const response = await handler(new Request(url, { method: 'POST', ...init, headers }))
  await handler.close()
  return response.status
}

/** A body that begins and never goes on. */
const half = (): ReadableStream => new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) })

const stream = (text: string): ReadableStream => new Blob([text]).stream()

test('a body is read whole where its length is known, and piece by piece where it is not', async () => {
  // Both are read: they lack a session only.
  expect(await statusOf({ body: ping, headers: { 'content-length': String(ping.length) } })).toBe(400)
  expect(await statusOf({ body: stream(ping), duplex: 'half' } as RequestInit)).toBe(400)
  expect(await statusOf({})).toBe(400)
})

test('a body that is longer than it says, and than is allowed, is refused', async () => {
  const body = ping + ' '.repeat(2_000)
  expect(await statusOf({ body, headers: { 'content-length': '10' } }, { maxBodyBytes: 1_000 })).toBe(413)
  expect(await statusOf({ body: stream(body), duplex: 'half' } as RequestInit, { maxBodyBytes: 1_000 })).toBe(413)
})

test('a body that does not come to an end is given up', async () => {
  const init = { body: half(), duplex: 'half' } as RequestInit
  expect(await statusOf({ ...init, headers: { 'content-length': '10' } }, { bodyTimeoutMs: 50 })).toBe(408)
  expect(await statusOf({ ...init, body: half() }, { bodyTimeoutMs: 50 })).toBe(408)
})

test('a body that breaks off is given up', async () => {
  const broken = (): ReadableStream => new ReadableStream({ start: (controller) => controller.error(new Error('cut')) })
  const init = { duplex: 'half' } as RequestInit
  expect(await statusOf({ ...init, body: broken(), headers: { 'content-length': '10' } })).toBe(408)
  expect(await statusOf({ ...init, body: broken() })).toBe(408)
})
