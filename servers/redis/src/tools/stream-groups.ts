import type { ServerTool } from '@tenon/sdk/server'
import { z } from 'zod'
import { measure } from '../collection.ts'
import type { Reply } from '../commands.ts'
import type { Database } from '../database.ts'
import { answer, keyTool, reads, writes } from '../key-tool.ts'
import { entryLine, readEntries, streamEntry } from '../readers/stream-entry.ts'
import { quoteLines } from '../value.ts'

const group = z.string().min(1).max(1_000).describe('Name of the group')
const id = z.string().regex(/^\d{1,20}(?:-\d{1,20})?$/, 'expected an id such as 1700000000000-0')

/** Tools for groups of consumers, which share the entries of a stream. */
export const streamGroupTools = (database: Database): ServerTool[] => [
  keyTool({
    name: 'stream_create_group',
    title: 'Create a group',
    description: 'Creates a group of consumers for a stream.',
    hints: writes(false, true),
    input: {
      group,
      start: z
        .union([z.literal('$'), id])
        .default('$')
        .describe('The group gets entries after this id; $ for new ones, 0 for all'),
      createStream: z.boolean().default(false).describe('Makes an empty stream if there is none'),
    },
    output: z.object({ created: z.boolean().describe('False if the group was there') }),
    async run({ bytes }, { group, start, createStream }) {
      try {
        await database.send('XGROUP CREATE', bytes, group, start, ...(createStream ? ['MKSTREAM'] : []))
      } catch (error) {
        if (!(error as Error).message.includes('BUSYGROUP')) throw error
        return answer(`The group ${quoteLines(group)} exists already`, { created: false })
      }
      return answer(`Created the group ${quoteLines(group)}`, { created: true })
    },
  }),
  keyTool({
    name: 'stream_delete_group',
    title: 'Delete a group',
    description: 'Deletes a group of consumers and its list of pending entries. The entries stay in the stream.',
    hints: writes(true, true),
    input: { group },
    output: z.object({ deleted: z.boolean() }),
    async run({ bytes }, { group }) {
      const deleted = (await database.send('XGROUP DESTROY', bytes, group)) === 1
      return answer(deleted ? `Deleted the group ${quoteLines(group)}` : 'There is no such group', { deleted })
    },
  }),
  keyTool({
    name: 'stream_read_group',
    title: 'Read as a consumer',
    description:
      'Reads entries of a stream that no consumer of the group has yet, or again those that this consumer did not acknowledge. It does not wait for new ones.',
    hints: writes(false, false),
    input: {
      group,
      consumer: z.string().min(1).max(1_000).describe('Name of the consumer'),
      limit: z.int().min(1).max(1_000).default(10).describe('Most entries'),
      pending: z.boolean().default(false).describe('Reads entries that this consumer got before'),
    },
    output: z.object({ entries: z.array(streamEntry) }),
    async run({ bytes, shown }, { group, consumer, limit, pending }) {
      const { perStep } = await measure(database, 'XLEN', bytes)
      const from = pending ? '0' : '>'
      const count = Math.min(limit, perStep)
      const args = ['GROUP', group, consumer, 'COUNT', count, 'STREAMS', bytes, from]
      const reply = (await database.send('XREADGROUP', ...args)) as readonly (readonly Reply[])[] | null
      const { maxValue, maxResult } = database.settings
      // Nothing may be left out, since the entries count as delivered: values are cut instead.
      const entries = readEntries(reply?.[0]?.[1] ?? null, Math.min(maxValue, Math.ceil(maxResult / count)))
      if (entries.length === 0) return answer(`${shown} has no such entries`, { entries })
      return answer(entries.map(entryLine), { entries })
    },
  }),
  keyTool({
    name: 'stream_ack',
    title: 'Acknowledge entries',
    description: 'Tells a group that entries are done, so that they are no longer pending.',
    hints: writes(false, true),
    input: { group, ids: z.array(id).min(1).max(10_000) },
    output: z.object({ acknowledged: z.int() }),
    async run({ bytes, shown }, { group, ids }) {
      const acknowledged = Number(await database.send('XACK', bytes, group, ...ids))
      return answer(`${shown}: ${acknowledged} entries acknowledged`, { acknowledged })
    },
  }),
  keyTool({
    name: 'stream_pending',
    title: 'Pending entries',
    description: 'Lists entries of a stream that consumers of a group got and did not acknowledge.',
    hints: reads,
    input: { group, limit: z.int().min(1).max(1_000).default(100).describe('Most entries') },
    output: z.object({
      pending: z.array(z.object({ id: z.string(), consumer: z.string(), idleMs: z.int(), deliveries: z.int() })),
    }),
    async run({ bytes, shown }, { group, limit }) {
      const reply = (await database.send('XPENDING', bytes, group, '-', '+', limit)) as readonly (readonly Reply[])[]
      const pending = reply.map(([entry, consumer, idle, deliveries]) => ({
        id: String(entry),
        consumer: String(consumer),
        idleMs: Number(idle),
        deliveries: Number(deliveries),
      }))
      const lines = pending.map(
        ({ id, consumer, idleMs, deliveries }) =>
          `${id} ${quoteLines(consumer)}, ${idleMs} ms ago, ${deliveries} deliveries`,
      )
      return answer(lines.length > 0 ? lines : `${shown} has no pending entries`, { pending })
    },
  }),
]
