import { type ServerTool, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Database } from '../database.ts'
import { readKeyInfo } from '../key-info.ts'
import {
  answer,
  cursorParameter,
  encodingOf,
  keyText,
  keyTool,
  moreText,
  nextCursor,
  readKey,
  reads,
  writes,
} from '../key-tool.ts'
import { keyTypes, scanKeys } from '../scan-keys.ts'
import { scanProgress } from '../scan-progress.ts'
import { isText, quoteLines } from '../value.ts'

const maxListed = 100_000

/** Tools that look at keys, whatever they hold. */
export const keyTools = (database: Database): ServerTool[] => [
  tool({
    name: 'list',
    title: 'List keys',
    description:
      'List Redis keys matching a pattern, in pages. Walks through the keys with SCAN, so Redis stays free for others; keys come in no order.',
    annotations: reads,
    input: z.object({
      pattern: z
        .string()
        .max(1_000)
        .default('*')
        .describe('Pattern to match keys (default: *): ? for one character, * for any, [ab] for one of these'),
      type: z.enum(keyTypes).optional().describe('Only keys of this type'),
      cursor: cursorParameter,
      limit: z.int().min(1).max(maxListed).default(1_000).describe('About how many keys a page has'),
    }),
    output: z.object({
      keys: z.array(z.string()),
      binaryKeys: z.array(z.string()).optional().describe('Keys that are not text, in base64; use keyEncoding base64'),
      tooLong: z.int().optional().describe('Keys left out because of the length of their names'),
      nextCursor,
    }),
    async run({ pattern, type, cursor, limit }, ctx) {
      const total = Number(await database.send('DBSIZE'))
      const onStep = scanProgress(ctx, total)
      const page = await scanKeys(database, { pattern, type, cursor, limit, signal: ctx.signal, onStep })
      const { keys, binaryKeys } = namesOf(page.items)
      const lines = [...quoteAll(keys), ...binaryKeys.map((key) => `(base64) ${key}`)]
      const none = page.nextCursor === undefined ? 'No keys found matching pattern' : 'No keys found so far'
      return answer([...(lines.length > 0 ? ['Found keys:', ...lines] : [none]), ...moreText(page.nextCursor)], {
        keys,
        ...(binaryKeys.length > 0 && { binaryKeys }),
        ...(page.tooLong > 0 && { tooLong: page.tooLong }),
        ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }),
      })
    },
  }),
  keyTool({
    name: 'key_info',
    title: 'Describe a key',
    description: 'Tells the type of a key, its length, encoding, time to live and memory, and which tool reads it.',
    hints: reads,
    output: z.object({
      exists: z.boolean(),
      type: z.string().optional(),
      length: z.int().optional().describe('Bytes of a string, else items'),
      ttlMs: z.int().optional().describe('Milliseconds until it expires; missing if it does not'),
      encoding: z.string().optional(),
      memoryBytes: z.int().optional().describe('Estimated from a few of its items'),
      readWith: z.string().optional().describe('The tool that reads it'),
    }),
    async run({ bytes, shown }) {
      const info = await readKeyInfo(database, bytes)
      if (info === undefined) return answer(`Key not found: ${shown}`, { exists: false })
      const lines = Object.entries(info).map(([name, value]) => `${name}: ${value}`)
      return answer([shown, ...lines], { exists: true, ...info })
    },
  }),
  keyTool({
    name: 'memory_usage',
    title: 'Memory of a key',
    description: 'Tells how many bytes a key and its value take in the memory of Redis.',
    hints: reads,
    input: {
      samples: z
        .int()
        .min(1)
        .max(10_000)
        .default(5)
        .describe('Items of a collection to measure; the others are estimated'),
    },
    output: z.object({ exists: z.boolean(), bytes: z.int().optional() }),
    async run({ bytes: key, shown }, { samples }) {
      const size = await database.send('MEMORY USAGE', key, 'SAMPLES', samples)
      if (size === null) return answer(`Key not found: ${shown}`, { exists: false })
      return answer(`${shown} takes ${size} bytes`, { exists: true, bytes: Number(size) })
    },
  }),
  keyTool({
    name: 'rename',
    title: 'Rename a key',
    description: 'Gives a key another name. A key that has the new name is only replaced with overwrite.',
    hints: writes(true, false),
    input: {
      newKey: keyText.describe('The new name'),
      overwrite: z.boolean().default(false).describe('Replaces a key that has the new name'),
      newKeyEncoding: encodingOf('the new name is'),
    },
    output: z.object({ renamed: z.boolean() }),
    async run({ bytes, shown }, { newKey, overwrite, newKeyEncoding }, ctx) {
      const target = readKey(newKey, newKeyEncoding)
      const renamed = await database.send(overwrite ? 'RENAME' : 'RENAMENX', bytes, target.bytes)
      if (renamed === 0) return ctx.error(`${target.shown} exists already: pass overwrite to replace it.`)
      return answer(`Renamed ${shown} to ${target.shown}`, { renamed: true })
    },
  }),
]

/** The names of keys, each once. */
function namesOf(items: readonly Buffer[]): { keys: string[]; binaryKeys: string[] } {
  const keys = new Set<string>()
  const binaryKeys = new Set<string>()
  for (const key of items) {
    if (isText(key)) keys.add(key.toString())
    else binaryKeys.add(key.toString('base64'))
  }
  return { keys: [...keys], binaryKeys: [...binaryKeys] }
}

/** One look at all of them is faster than a hundred thousand looks, and hardly any key needs quotes. */
const quoteAll = (keys: readonly string[]): readonly string[] =>
  quoteLines(keys.join('')).startsWith('"') ? keys.map(quoteLines) : keys
