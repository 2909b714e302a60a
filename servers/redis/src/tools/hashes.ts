import type { ServerTool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Database } from '../database.ts'
import {
  answer,
  cursorParameter,
  encodingOf,
  fromText,
  keyTool,
  moreText,
  nextCursor,
  reads,
  writes,
} from '../key-tool.ts'
import { hashEntry, readHash, shownEntry } from '../readers/hash.ts'
import { lineOf, quoteLines } from '../value.ts'
import { fieldsWithValues, fieldText, pairsOf } from './fields.ts'

/** Redis has no command for a part of a field: longer ones would come whole. */
const maxFieldBytes = 32_000_000

/** Tools for hashes. */
export const hashTools = (database: Database): ServerTool[] => [
  keyTool({
    name: 'hash_read',
    title: 'Read a hash',
    description: 'Reads fields and values of a hash, in pages and in no order.',
    hints: reads,
    input: {
      pattern: z.string().max(1_000).default('*').describe('Only fields that match, as in list'),
      cursor: cursorParameter,
      limit: z.int().min(1).max(10_000).default(500).describe('About how many fields a page has'),
    },
    output: z.object({
      length: z.int().describe('Fields of the hash; 0 if there is none'),
      fields: z.array(hashEntry),
      nextCursor,
    }),
    async run({ bytes, shown }, { pattern, cursor, limit }, { signal }) {
      const { length, fields, nextCursor } = await readHash(database, bytes, { pattern, cursor, limit, signal })
      const lines = fields.map((one) => `${quoteLines(one.field)}: ${lineOf(one)}`)
      return answer([`${shown}: ${length} fields`, ...lines, ...moreText(nextCursor)], {
        length,
        fields,
        ...(nextCursor !== undefined && { nextCursor }),
      })
    },
  }),
  keyTool({
    name: 'hash_get',
    title: 'Get fields of a hash',
    description: 'Gets the values of some fields of a hash. A long value is cut: call again with offset.',
    hints: reads,
    input: {
      fields: z.array(fieldText).min(1).max(100),
      offset: z.int().min(0).default(0).describe('Byte of each value to begin with'),
      encoding: encodingOf('the fields are'),
    },
    output: z.object({ fields: z.array(hashEntry.partial().extend({ field: z.string(), exists: z.boolean() })) }),
    async run({ bytes }, { fields, offset, encoding }, ctx) {
      const names = fields.map((field) => fromText(field, encoding))
      const lengths = await database.sendAll(names.map((name) => ['HSTRLEN', bytes, name] as const))
      if (lengths.reduce<number>((sum, length) => sum + Number(length), 0) > maxFieldBytes) {
        return ctx.error(`The fields have more than ${maxFieldBytes} bytes. Ask for fewer.`)
      }
      const values = (await database.send('HMGET', bytes, ...names)) as readonly (Buffer | null)[]
      const most = Math.max(1, Math.min(database.settings.maxValue, database.settings.maxResult / fields.length))
      const found = values.map((value, at) =>
        value === null
          ? { field: fields[at]!, exists: false }
          : { exists: true, ...shownEntry(names[at]!, value, most, offset), field: fields[at]! },
      )
      const lines = found.map((one) =>
        'value' in one ? `${quoteLines(one.field)}: ${lineOf(one)}` : `Field not found: ${quoteLines(one.field)}`,
      )
      return answer(lines, { fields: found })
    },
  }),
  keyTool({
    name: 'hash_set',
    title: 'Set fields of a hash',
    description: 'Sets fields of a hash. Fields that exist are replaced, others stay.',
    hints: writes(true, true),
    input: {
      fields: fieldsWithValues,
      encoding: encodingOf('fields and values are'),
    },
    output: z.object({ added: z.int().describe('Fields that were not there before') }),
    async run({ bytes, shown }, { fields, encoding }) {
      const pairs = pairsOf(fields, encoding)
      const added = Number(await database.send('HSET', bytes, ...pairs))
      return answer(`${shown}: ${pairs.length / 2} fields set, ${added} of them new`, { added })
    },
  }),
  keyTool({
    name: 'hash_delete',
    title: 'Delete fields of a hash',
    description: 'Deletes fields of a hash. Without fields the hash is gone.',
    hints: writes(true, true),
    input: { fields: z.array(fieldText).min(1).max(10_000), encoding: encodingOf('the fields are') },
    output: z.object({ deleted: z.int() }),
    async run({ bytes, shown }, { fields, encoding }) {
      const names = fields.map((field) => fromText(field, encoding))
      const deleted = Number(await database.send('HDEL', bytes, ...names))
      return answer(`${shown}: ${deleted} fields deleted`, { deleted })
    },
  }),
  keyTool({
    name: 'hash_increment',
    title: 'Increment a field',
    description: 'Adds a whole number to the number in a field of a hash, 0 if the field is absent.',
    hints: writes(false, false),
    input: { field: fieldText, by: z.int().default(1).describe('May be negative') },
    output: z.object({ value: z.string().describe('The new number') }),
    async run({ bytes }, { field, by }) {
      const value = String(await database.send('HINCRBY', bytes, field, by))
      return answer(`${quoteLines(field)} is ${value}`, { value })
    },
  }),
]
