import { embed, type ServerTool, ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Argument } from '../commands.ts'
import type { Database } from '../database.ts'
import { answer, encodingOf, fromText, keyText, keyTool, readKey, reads, writes } from '../key-tool.ts'
import { keyUri } from '../key-uri.ts'
import { isTextPart, readString, type StringPart, shownPart } from '../readers/string.ts'
import { Room } from '../room.ts'
import { lineOf, quoteLines, type ShownValue, show, shownValue } from '../value.ts'

/** Characters of a value that is written. */
export const maxWritten = 16_000_000
const maxExpireSeconds = 10_000_000_000
const maxKeys = 1_000
const keysAtOnce = 50

/** Tools for strings. */
export const stringTools = (database: Database): ServerTool[] => [
  keyTool({
    name: 'set',
    title: 'Set a value',
    description: 'Set a Redis key-value pair with optional expiration. Whatever the key held before is replaced.',
    hints: writes(true, false),
    input: {
      value: z.string().max(maxWritten).describe('Value to store'),
      expireSeconds: z
        .number()
        .min(0)
        .max(maxExpireSeconds)
        .optional()
        .describe('Optional expiration time in seconds; without it the key does not expire'),
      condition: z
        .enum(['always', 'absent', 'present'])
        .default('always')
        .describe('Sets only if the key is absent, or present'),
      keepTtl: z.boolean().default(false).describe('Keeps the time to live that the key has'),
      encoding: encodingOf('the value is'),
    },
    output: z.object({ set: z.boolean().describe('False if the condition was not met') }),
    async run({ bytes, shown }, { value, expireSeconds, condition, keepTtl, encoding }, ctx) {
      if (keepTtl && expireSeconds) return ctx.error('Pass either expireSeconds or keepTtl.')
      const options: Argument[] = [
        ...(expireSeconds ? ['PX', Math.max(1, Math.round(expireSeconds * 1_000))] : []),
        ...(keepTtl ? ['KEEPTTL'] : []),
        ...(condition === 'absent' ? ['NX'] : condition === 'present' ? ['XX'] : []),
      ]
      const reply = await database.send('SET', bytes, fromText(value, encoding), ...options)
      if (reply === null) return answer(`Not set: ${shown} is not ${condition}`, { set: false })
      return answer(`Successfully set key: ${shown}`, { set: true })
    },
  }),
  keyTool({
    name: 'get',
    title: 'Get a value',
    description:
      'Get value by key from Redis. A long value comes in parts: call again with nextOffset. Bytes that are not text come in base64.',
    hints: reads,
    input: {
      offset: z.int().min(0).default(0).describe('Byte to begin with'),
      length: z.int().min(1).optional().describe('Most bytes to return; the limit of the server if left out'),
    },
    output: z.object({
      exists: z.boolean(),
      ...shownValue.partial().shape,
      offset: z.int().optional(),
      bytes: z.int().optional().describe('Bytes of the whole value, if this is a part of it'),
      nextOffset: z.int().optional().describe('Where the next part begins'),
    }),
    async run({ bytes, shown }, { offset, length }) {
      const { maxValue } = database.settings
      const part = await readString(database, bytes, offset, Math.min(length ?? maxValue, maxValue))
      if (part === undefined) return answer(`Key not found: ${shown}`, { exists: false })
      const value = isTextPart(part)
        ? part.bytes.toString()
        : embed({ uri: keyUri(bytes), mimeType: 'application/octet-stream', blob: part.bytes })
      const { nextOffset, total } = part
      const more = nextOffset === undefined ? [] : [`… more of ${total} bytes: call again with offset ${nextOffset}.`]
      return new ToolResult({ content: [value, ...more], structured: { exists: true, ...shownPart(part) } })
    },
  }),
  tool({
    name: 'get_many',
    title: 'Get several values',
    description: 'Gets the values of several keys with strings. Long values are cut: get reads the rest of them.',
    annotations: reads,
    input: z.object({ keys: z.array(keyText).min(1).max(maxKeys), keyEncoding: encodingOf('the keys are') }),
    output: z.object({
      values: z.array(shownValue.partial().extend({ key: z.string(), exists: z.boolean() })),
      leftOut: z.array(z.string()).optional().describe('Keys whose values did not fit: ask for them again'),
    }),
    async run({ keys, keyEncoding }, { signal }) {
      const { maxValue, maxResult } = database.settings
      const room = new Room(keys.length, maxResult)
      const values: ({ key: string; exists: boolean } & Partial<ShownValue>)[] = []
      const read = (key: string): Promise<StringPart | undefined> =>
        readString(database, readKey(key, keyEncoding).bytes, 0, maxValue)
      for (let at = 0; at < keys.length && !room.isFull; at += keysAtOnce) {
        signal.throwIfAborted()
        const some = keys.slice(at, at + keysAtOnce)
        const parts = await Promise.all(some.map(read))
        const fitting = parts.findIndex((part, index) => !room.take(some[index]!.length + (part?.bytes.length ?? 0)))
        const shown = parts.map((part, index) => ({
          key: some[index]!,
          exists: part !== undefined,
          ...shownStart(part),
        }))
        values.push(...(fitting < 0 ? shown : shown.slice(0, fitting)))
        if (fitting >= 0) break
      }
      const leftOut = keys.slice(values.length)
      const lines = values.map((one) =>
        one.exists ? `${quoteLines(one.key)}: ${lineOf(one as ShownValue)}` : `Key not found: ${quoteLines(one.key)}`,
      )
      const rest = leftOut.length > 0 ? [`… ${leftOut.length} more keys did not fit: ask for them again.`] : []
      return answer([...lines, ...rest], { values, ...(leftOut.length > 0 && { leftOut }) })
    },
  }),
  keyTool({
    name: 'increment',
    title: 'Increment a number',
    description:
      'Adds a whole number to the number in a key, 0 if the key is absent. Others may do so at the same time.',
    hints: writes(false, false),
    input: { by: z.int().default(1).describe('May be negative') },
    output: z.object({ value: z.string().describe('The new number') }),
    async run({ bytes, shown }, { by }) {
      const value = String(await database.send('INCRBY', bytes, by))
      return answer(`${shown} is ${value}`, { value })
    },
  }),
]

/** The beginning of a value, if there is one. */
function shownStart(part: StringPart | undefined): Partial<ShownValue> {
  if (part === undefined) return {}
  return { ...show(part.bytes, part.bytes.length), ...(part.total !== undefined && { cutFrom: part.total }) }
}
