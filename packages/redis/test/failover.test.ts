/** Redis as a cluster and behind sentinels: a primary dies in the middle of a task, a session, a stream and a question. */
import { connect } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { requires } from '../../../scripts/requires.ts'
import { redis } from '../src/index.ts'
import { atEnd, failureOf } from './helpers.ts'
import { type Replicated, startCluster, startSentinel } from './replicated.ts'

const kinds = { 'a cluster': startCluster, sentinels: startSentinel }

describe.each(Object.entries(kinds))('Redis with %s', (_, start) => {
  describe('whose primary dies', requires('redis', 'openssl'), () => {
    let replicated: Replicated
    beforeAll(async () => {
      replicated = await start()
    })
    afterAll(() => replicated?.stop())

    /** A process that serves clients, and runs tasks. */
    const serving = async (name: string, said: string[], gate: Promise<void>) => {
      const shared = redis(replicated.url, { timeoutMs: 5_000, pingMs: 200, ...replicated.options })
      const server = createServer({
        name: 'bakery',
        version: '1',
        onError: () => {},
        tools: [
          tool({ name: 'where', run: () => name }),
          tool({
            name: 'bake',
            task: { pollIntervalMs: 50, required: true },
            input: z.object({ id: z.string() }),
            async run({ id }) {
              said.push(`begun ${id}`)
              await gate
              return `baked ${id}`
            },
          }),
          tool({
            name: 'ask',
            async run(_input, ctx) {
              const { content } = await ctx.elicit('How many?', z.object({ loaves: z.number() }))
              return `${content?.loaves} loaves`
            },
          }),
        ],
      })
      const http = await serveHttp(server, { ...shared })
      atEnd(async () => {
        await http.close()
        await shared.close()
      })
      return { url: http.url, shared }
    }

    test('goes on by itself: the session, the task that runs, streams and messages', async () => {
      const said: string[] = []
      let open = (): void => {}
      const gate = new Promise<void>((resolve) => {
        open = resolve
      })
      const [one, two] = [await serving('one', said, gate), await serving('two', said, gate)]
      let turn = 0
      const spread = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
        const target = new URL([one, two][turn++ % 2]!.url)
        return fetch(new Request(target, new Request(input, init)))
      }
      const elicit = () => ({ action: 'accept' as const, content: { loaves: 3 } })
      const client = await connect(one.url, { revisions: ['2025-11-25'], fetch: spread, elicit })
      atEnd(() => client.close())
      const call = (name: string): Promise<string> =>
        client.callTool(name).then(
          ({ text }) => text,
          (error: Error) => error.message,
        )
      expect([await call('ask'), await call('ask')]).toEqual(['3 loaves', '3 loaves'])

      const task = await client.tasks.start('bake', { id: 'a' })
      await expect.poll(() => said).toEqual(['begun a'])
      const heard: string[] = []
      await two.shared.sessions.bus.subscribe('tasks', (message) => heard.push(message))
      const seen: string[] = []
      await two.shared.eventLog.follow('tasks', 'a', 0, {
        event: ({ text }) => seen.push(text),
        end: () => seen.push('end'),
      })
      await one.shared.eventLog.append('tasks', 'a', 'one')
      await one.shared.sessions.bus.publish('tasks', 'one')
      await expect.poll(() => [seen, heard]).toEqual([['one'], ['one']])

      await replicated.failOver()
      await expect.poll(() => failureOf(one.shared.eventLog.append('tasks', 'a', 'two'))).toBeUndefined()
      await expect.poll(() => failureOf(one.shared.sessions.bus.publish('tasks', 'two'))).toBeUndefined()
      await expect
        .poll(() => [[...new Set(seen)], [...new Set(heard)]])
        .toEqual([
          ['one', 'two'],
          ['one', 'two'],
        ])
      await expect.poll(() => call('where')).toMatch(/^(one|two)$/)
      await expect.poll(() => call('where')).toMatch(/^(one|two)$/)
      await expect.poll(() => call('ask')).toBe('3 loaves')
      open()
      await expect.poll(() => task.result().then(({ text }) => text, String)).toBe('baked a')
      await expect.poll(() => client.callTool('bake', { id: 'b' }).then(({ text }) => text, String)).toBe('baked b')
      expect(said.filter((word) => word === 'begun a')).toHaveLength(1)
    })
  })
})
