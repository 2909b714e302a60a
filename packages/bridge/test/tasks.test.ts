/** Tasks between peers that speak of them in the same way, and between those that do not. */
import { type Client, connect, type ElicitResult, type Revision } from '@tenon/sdk/client'
import { createServer, tool } from '@tenon/sdk/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { bridge } from '../src/bridge.ts'

interface World extends AsyncDisposable {
  client: Client
  notes: string[]
}

async function world(far: Revision, near: Revision, answer: () => ElicitResult): Promise<World> {
  const notes: string[] = []
  const work = tool({
    name: 'work',
    input: z.object({}),
    task: { required: true },
    async run(_, ctx) {
      await ctx.once('start', () => void notes.push('started'))
      const { action } = await ctx.elicit('Go on?', z.object({}))
      await ctx.once('end', () => void notes.push('ended'))
      if (action === 'decline') throw new Error('declined')
      return `went on: ${action}`
    },
  })
  const sleep = tool({
    name: 'sleep',
    input: z.object({}),
    task: { required: true },
    run: (_, ctx) =>
      new Promise<string>((_resolve, reject) => {
        notes.push('sleeps')
        ctx.signal.addEventListener('abort', () => {
          notes.push('woken')
          reject(new Error('woken'))
        })
      }),
  })
  const server = createServer({
    name: 'far',
    version: '1.0.0',
    revisions: [far],
    tools: [work, sleep],
    tasks: { pollIntervalMs: 20 },
  })
  const link = bridge({ target: server })
  const client = await connect(link.server, { revisions: [near], elicit: answer })
  const end = async (): Promise<void> => {
    await client.close()
    await link.close()
  }
  return { client, notes, [Symbol.asyncDispose]: end }
}

const accept = (): ElicitResult => ({ action: 'accept', content: {} })
const known: [Revision, Revision][] = [
  ['2025-11-25', '2025-11-25'],
  ['2026-07-28', '2026-07-28'],
  ['2025-11-25', '2026-07-28'],
]

test.each(known)('a server of %s starts a task for a client of %s, asks, and ends it', async (far, near) => {
  await using w = await world(far, near, accept)
  const seen: string[] = []
  const task = await w.client.tasks.start('work', {}, { onStatus: ({ status }) => seen.push(status) })
  expect(task.id).toEqual(expect.any(String))
  expect((await task.result()).text).toBe('went on: accept')
  expect(w.notes).toEqual(['started', 'ended'])
  expect(seen.at(-1)).toBe('completed')
})

test.each(known)('a server of %s cancels a task of a client of %s', async (far, near) => {
  await using w = await world(far, near, accept)
  const task = await w.client.tasks.start('sleep')
  await expect.poll(() => w.notes).toEqual(['sleeps'])
  await task.cancel()
  await expect.poll(() => w.notes).toEqual(['sleeps', 'woken'])
  await expect(task.result()).rejects.toThrow()
})

test.each(known)('a task of a server of %s that fails tells a client of %s so', async (far, near) => {
  await using w = await world(far, near, () => ({ action: 'decline' }))
  const task = await w.client.tasks.start('work')
  expect(await task.result()).toMatchObject({ isError: true })
})
