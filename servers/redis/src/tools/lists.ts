import type { ServerTool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Database } from '../database.ts'
import { answer, encodingOf, fromText, keyTool, reads, writes } from '../key-tool.ts'
import { readList } from '../readers/list.ts'
import { lineOf, show, shownValue } from '../value.ts'
import { maxWritten } from './strings.ts'

const side = z.enum(['left', 'right'])
const values = z.array(z.string().max(maxWritten)).min(1).max(10_000)

/** Tools for lists. Items count from 0; negative numbers count from the end. */
export const listTools = (database: Database): ServerTool[] => [
  keyTool({
    name: 'list_range',
    title: 'Read a list',
    description: 'Reads items of a list in their order, in pages: call again with start = next.',
    hints: reads,
    input: {
      start: z.int().default(0).describe('First item; -1 is the last one'),
      limit: z.int().min(1).max(10_000).default(500).describe('Most items'),
    },
    output: z.object({
      length: z.int().describe('Items of the list; 0 if there is none'),
      start: z.int(),
      items: z.array(shownValue),
      next: z.int().optional().describe('Where the next page begins'),
    }),
    async run({ bytes, shown }, { start, limit }, { signal }) {
      const { length, start: first, items, next } = await readList(database, bytes, { start, limit, signal })
      const lines = items.map((item, at) => `${first + at}: ${lineOf(item)}`)
      const more = next === undefined ? [] : [`… more: call again with start ${next}.`]
      return answer([`${shown}: ${length} items`, ...lines, ...more], {
        ...{ length, start: first, items },
        ...(next !== undefined && { next }),
      })
    },
  }),
  keyTool({
    name: 'list_push',
    title: 'Add to a list',
    description: 'Adds items to an end of a list, one after the other.',
    hints: writes(false, false),
    input: { values, side: side.default('right'), encoding: encodingOf('the values are') },
    output: z.object({ length: z.int() }),
    async run({ bytes, shown }, { values, side, encoding }) {
      const items = values.map((value) => fromText(value, encoding))
      const length = Number(await database.send(side === 'left' ? 'LPUSH' : 'RPUSH', bytes, ...items))
      return answer(`${shown}: ${length} items`, { length })
    },
  }),
  keyTool({
    name: 'list_pop',
    title: 'Take from a list',
    description: 'Takes items from an end of a list, which are then gone from it. Long items are refused.',
    hints: writes(true, false),
    input: { side: side.default('left'), count: z.int().min(1).max(100).default(1) },
    output: z.object({ items: z.array(shownValue) }),
    async run({ bytes, shown }, { side, count }, ctx) {
      const range = side === 'left' ? ([0, count - 1] as const) : ([-count, -1] as const)
      const waiting = (await database.send('LRANGE', bytes, ...range)) as readonly Buffer[]
      // An item that does not fit into the answer would be lost.
      const total = waiting.reduce((sum, { length }) => sum + length, 0)
      if (total > database.settings.maxResult) return ctx.error(`They have ${total} bytes. Take fewer at once.`)
      const taken = (await database.send(side === 'left' ? 'LPOP' : 'RPOP', bytes, count)) as readonly Buffer[] | null
      const items = (taken ?? []).map((item) => show(item, item.length))
      return answer(items.length === 0 ? `${shown} has no items` : items.map(lineOf), { items })
    },
  }),
  keyTool({
    name: 'list_set',
    title: 'Replace an item of a list',
    description: 'Replaces the item at a place of a list.',
    hints: writes(true, true),
    input: { index: z.int(), value: z.string().max(maxWritten), encoding: encodingOf('the value is') },
    output: z.object({ set: z.boolean() }),
    async run({ bytes, shown }, { index, value, encoding }) {
      await database.send('LSET', bytes, index, fromText(value, encoding))
      return answer(`${shown}: item ${index} set`, { set: true })
    },
  }),
  keyTool({
    name: 'list_remove',
    title: 'Remove items of a list',
    description: 'Removes items that equal a value: all of them, or the first or last few.',
    hints: writes(true, false),
    input: {
      value: z.string().max(maxWritten),
      count: z.int().default(0).describe('Most items; from the end if negative; 0 for all'),
      encoding: encodingOf('the value is'),
    },
    output: z.object({ removed: z.int() }),
    async run({ bytes, shown }, { value, count, encoding }) {
      const removed = Number(await database.send('LREM', bytes, count, fromText(value, encoding)))
      return answer(`${shown}: ${removed} items removed`, { removed })
    },
  }),
  keyTool({
    name: 'list_trim',
    title: 'Trim a list',
    description: 'Keeps the items from start to stop, both included, and removes the others.',
    hints: writes(true, false),
    input: { start: z.int(), stop: z.int() },
    output: z.object({ length: z.int() }),
    async run({ bytes, shown }, { start, stop }) {
      await database.send('LTRIM', bytes, start, stop)
      const length = Number(await database.send('LLEN', bytes))
      return answer(`${shown}: ${length} items`, { length })
    },
  }),
]
