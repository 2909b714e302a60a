import type { ServerTool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Database } from '../database.ts'
import { answer, encodingOf, keyTool, reads, writes } from '../key-tool.ts'
import { readStream } from '../readers/stream.ts'
import { entryLine, namedReply, streamEntry } from '../readers/stream-entry.ts'
import { fieldsWithValues, pairsOf } from './fields.ts'

const id = z.string().regex(/^\d{1,20}(?:-\d{1,20})?$/, 'expected an id such as 1700000000000-0')
const place = z.string().regex(/^(?:[-+]|\(?\d{1,20}(?:-\d{1,20})?)$/, 'expected -, + or an id such as 1700000000000-0')

/** Tools for streams. */
export const streamTools = (database: Database): ServerTool[] => [
  keyTool({
    name: 'stream_range',
    title: 'Read a stream',
    description: 'Reads entries of a stream, oldest first unless reverse, in pages: call again with start = next.',
    hints: reads,
    input: {
      start: place.optional().describe('Id to begin with; "(" in front leaves it out'),
      end: place.optional().describe('Id to end with'),
      limit: z.int().min(1).max(10_000).default(100).describe('Most entries'),
      reverse: z.boolean().default(false).describe('Newest first'),
    },
    output: z.object({
      length: z.int().describe('Entries of the stream; 0 if there is none'),
      entries: z.array(streamEntry),
      next: z.string().optional().describe('Where the next page begins'),
    }),
    async run({ bytes, shown }, range) {
      const { length, entries, next } = await readStream(database, bytes, range)
      const more = next === undefined ? [] : [`… more: call again with start ${next}.`]
      return answer([`${shown}: ${length} entries`, ...entries.map(entryLine), ...more], {
        ...{ length, entries },
        ...(next !== undefined && { next }),
      })
    },
  }),
  keyTool({
    name: 'stream_info',
    title: 'Describe a stream',
    description: 'Tells the length of a stream, its last id and its groups of consumers.',
    hints: reads,
    output: z.object({
      length: z.int(),
      lastId: z.string(),
      groups: z.array(
        z.object({ name: z.string(), consumers: z.int(), pending: z.int(), lastDeliveredId: z.string() }),
      ),
    }),
    async run({ bytes, shown }) {
      const [stream, list] = await database.sendAll([
        ['XINFO STREAM', bytes],
        ['XINFO GROUPS', bytes],
      ])
      const about = namedReply(stream)
      const groups = (list as readonly never[]).map(namedReply).map((group) => ({
        name: String(group.get('name')),
        consumers: Number(group.get('consumers')),
        pending: Number(group.get('pending')),
        lastDeliveredId: String(group.get('last-delivered-id')),
      }))
      const [length, lastId] = [Number(about.get('length')), String(about.get('last-generated-id'))]
      const lines = groups.map(
        ({ name, consumers, pending, lastDeliveredId }) =>
          `group ${JSON.stringify(name)}: ${consumers} consumers, ${pending} pending, delivered up to ${lastDeliveredId}`,
      )
      return answer([`${shown}: ${length} entries, the last is ${lastId}`, ...lines], { length, lastId, groups })
    },
  }),
  keyTool({
    name: 'stream_add',
    title: 'Add to a stream',
    description: 'Adds an entry to a stream.',
    hints: writes(false, false),
    input: {
      fields: fieldsWithValues,
      id: id.optional().describe('Given by Redis if left out'),
      encoding: encodingOf('fields and values are'),
    },
    output: z.object({ id: z.string() }),
    async run({ bytes }, { fields, id, encoding }) {
      const added = String(await database.send('XADD', bytes, id ?? '*', ...pairsOf(fields, encoding)))
      return answer(`Added ${added}`, { id: added })
    },
  }),
  keyTool({
    name: 'stream_delete',
    title: 'Delete entries of a stream',
    description: 'Deletes entries of a stream by their ids.',
    hints: writes(true, true),
    input: { ids: z.array(id).min(1).max(10_000) },
    output: z.object({ deleted: z.int() }),
    async run({ bytes, shown }, { ids }) {
      const deleted = Number(await database.send('XDEL', bytes, ...ids))
      return answer(`${shown}: ${deleted} entries deleted`, { deleted })
    },
  }),
  keyTool({
    name: 'stream_trim',
    title: 'Trim a stream',
    description: 'Deletes the oldest entries of a stream: all but maxLength, or those before minId.',
    hints: writes(true, true),
    input: { maxLength: z.int().min(0).optional(), minId: id.optional() },
    output: z.object({ deleted: z.int() }),
    async run({ bytes, shown }, { maxLength, minId }, ctx) {
      if ((maxLength === undefined) === (minId === undefined)) return ctx.error('Pass either maxLength or minId.')
      const bound = maxLength === undefined ? (['MINID', minId!] as const) : (['MAXLEN', maxLength] as const)
      const deleted = Number(await database.send('XTRIM', bytes, ...bound))
      return answer(`${shown}: ${deleted} entries deleted`, { deleted })
    },
  }),
]
