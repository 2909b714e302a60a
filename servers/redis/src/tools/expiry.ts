import type { ServerTool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Database } from '../database.ts'
import { answer, keyTool, reads, writes } from '../key-tool.ts'

const conditions = { always: [], 'no-ttl': ['NX'], 'has-ttl': ['XX'], later: ['GT'], earlier: ['LT'] } as const

/** Tools for the time to live. */
export const expiryTools = (database: Database): ServerTool[] => [
  keyTool({
    name: 'ttl',
    title: 'Time to live',
    description: 'Tells how long a key still lives.',
    hints: reads,
    output: z.object({
      exists: z.boolean(),
      ttlMs: z.int().optional().describe('Milliseconds until it expires; missing if it does not'),
      expiresAt: z.string().optional(),
    }),
    async run({ bytes, shown }) {
      const ttlMs = Number(await database.send('PTTL', bytes))
      if (ttlMs === -2) return answer(`Key not found: ${shown}`, { exists: false })
      if (ttlMs === -1) return answer(`${shown} does not expire`, { exists: true })
      const expiresAt = new Date(Date.now() + ttlMs).toISOString()
      return answer(`${shown} expires in ${ttlMs / 1_000} s, at ${expiresAt}`, { exists: true, ttlMs, expiresAt })
    },
  }),
  keyTool({
    name: 'expire',
    title: 'Let a key expire',
    description: 'Lets a key expire after some seconds, or at a time. Redis then deletes it.',
    hints: writes(true, false),
    input: {
      seconds: z.number().min(0.001).max(10_000_000_000).optional(),
      at: z.iso.datetime({ offset: true }).optional().describe('A time instead, such as 2030-01-31T12:00:00Z'),
      condition: z
        .enum(['always', 'no-ttl', 'has-ttl', 'later', 'earlier'])
        .default('always')
        .describe('Only if the key has no time to live, has one, or if the new one is later or earlier (Redis 7)'),
    },
    output: z.object({ changed: z.boolean() }),
    async run({ bytes, shown }, { seconds, at, condition }, ctx) {
      if ((seconds === undefined) === (at === undefined)) return ctx.error('Pass either seconds or at.')
      if (at !== undefined && Date.parse(at) <= Date.now()) return ctx.error('The time has passed. Use delete.')
      const options = conditions[condition]
      const reply =
        seconds === undefined
          ? await database.send('PEXPIREAT', bytes, Date.parse(at!), ...options)
          : await database.send('PEXPIRE', bytes, Math.max(1, Math.round(seconds * 1_000)), ...options)
      if (reply === 0) return answer(`Nothing changed: there is no ${shown}, or not so`, { changed: false })
      return answer(`${shown} expires ${at === undefined ? `in ${seconds} s` : `at ${at}`}`, { changed: true })
    },
  }),
  keyTool({
    name: 'persist',
    title: 'Keep a key',
    description: 'Takes the time to live from a key, which then does not expire.',
    hints: writes(false, true),
    output: z.object({ changed: z.boolean() }),
    async run({ bytes, shown }) {
      const changed = (await database.send('PERSIST', bytes)) === 1
      return answer(changed ? `${shown} does not expire` : `Nothing changed: ${shown} had no time to live`, { changed })
    },
  }),
]
