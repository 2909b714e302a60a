import type { ServerTool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Database } from '../database.ts'
import { atPointer } from '../json-pointer.ts'
import { answer, keyTool, reads, writes } from '../key-tool.ts'
import { readString } from '../readers/string.ts'
import { maxWritten } from './strings.ts'

/** Bytes of a JSON document that is read as a whole to find a part of it. */
const maxDocument = 16_000_000

/** Deeper answers would be too deep for many clients. */
const maxDepth = 50

/** Tools for strings that hold JSON. */
export const jsonTools = (database: Database): ServerTool[] => [
  keyTool({
    name: 'json_get',
    title: 'Read JSON',
    description: 'Reads a string that holds JSON, or the part of it that a JSON pointer names.',
    hints: reads,
    input: { pointer: z.string().max(1_000).default('').describe('Such as /items/0/name; everything if left out') },
    output: z.object({ exists: z.boolean(), json: z.unknown().optional() }),
    async run({ bytes, shown }, { pointer }, ctx) {
      const part = await readString(database, bytes, 0, maxDocument)
      if (part === undefined) return answer(`Key not found: ${shown}`, { exists: false })
      if (part.nextOffset !== undefined) return ctx.error(`It has more than ${maxDocument} bytes. Read parts with get.`)
      const document = parse(part.bytes)
      if (document === undefined) return ctx.error('The value is not JSON. Read it with get.')
      const json = atPointer(document.value, pointer)
      if (isDeeperThan(json, maxDepth)) {
        return ctx.error(
          `This part is nested deeper than ${maxDepth} levels. Name an inner one with pointer, or use get.`,
        )
      }
      const text = JSON.stringify(json, null, 2)
      const { maxResult } = database.settings
      if (Buffer.byteLength(text) > maxResult) {
        return ctx.error(`This part has more than ${maxResult} bytes. Name a smaller one with pointer.`)
      }
      return answer(text, { exists: true, json })
    },
  }),
  keyTool({
    name: 'json_set',
    title: 'Write JSON',
    description: 'Writes JSON as a string. Whatever the key held before is replaced; its time to live stays.',
    hints: writes(true, true),
    input: { json: z.unknown().describe('Any JSON') },
    output: z.object({ bytes: z.int() }),
    async run({ bytes, shown }, { json }, ctx) {
      if (json === undefined) return ctx.error('Pass the value as json; null is one.')
      const text = JSON.stringify(json)
      if (text.length > maxWritten) return ctx.error(`It has more than ${maxWritten} characters.`)
      await database.send('SET', bytes, text, 'KEEPTTL')
      return answer(`Successfully set key: ${shown}`, { bytes: Buffer.byteLength(text) })
    },
  }),
]

function parse(bytes: Buffer): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(bytes.toString()) }
  } catch {
    return undefined
  }
}

/** Looks level by level: recursion would end at the depth that it looks for. */
function isDeeperThan(value: unknown, depth: number): boolean {
  let level: unknown[] = [value]
  for (let at = 0; at <= depth && level.length > 0; at++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return level.length > 0
}
