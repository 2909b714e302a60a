import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { guardRequests } from '../http/guard-requests.ts'
import { guardListener } from './guard-listener.ts'

const broken = new Error('broken')

test('a listener that throws, or whose promise rejects, is reported, and its peer is told', async () => {
  const told: unknown[] = []
  const guard = { report: (error: unknown) => told.push(error), answer: (...args: unknown[]) => told.push(args) }
  const events = new EventEmitter()
  events.on(
    'sync',
    guardListener((_one: number, _two: number): void => {
      throw broken
    }, guard),
  )
  const later = guardListener(async (_one: string): Promise<void> => {
    throw broken
  }, guard)
  events.emit('sync', 1, 2)
  await later('a')
  expect(told).toEqual([[1, 2, undefined], broken, ['a', undefined, undefined], broken])
})

test('a report that throws, and a peer that cannot be told, change nothing', () => {
  const guarded = guardListener(
    () => {
      throw broken
    },
    {
      report: () => {
        throw new Error('broken too')
      },
      answer: () => {
        throw new Error('gone')
      },
    },
  )
  expect(guarded()).toBeUndefined()
})

test('a request whose listener fails is answered with 500, or cut off if the answer has begun', async () => {
  const reported: unknown[] = []
  const http = createServer(
    guardRequests(
      (request, response) => {
        if (request.headers['x-begin'] !== undefined) response.writeHead(200).write('half')
        throw broken
      },
      (error) => reported.push(error),
    ),
  ).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`
  expect((await fetch(url)).status).toBe(500)
  await expect(fetch(url, { headers: { 'x-begin': '1' } }).then((reply) => reply.text())).rejects.toThrow()
  expect(reported).toEqual([broken, broken])
  http.close()
  http.closeAllConnections()
})
