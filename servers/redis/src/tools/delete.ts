import { type ServerTool, type ToolContext, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Database } from '../database.ts'
import { answer, encodingOf, keyText, readKey, writes } from '../key-tool.ts'
import { keyTypes, scanKeys } from '../scan-keys.ts'
import { scanProgress } from '../scan-progress.ts'
import { quoteLines } from '../value.ts'

const maxKeys = 10_000
const keysPerCommand = 1_000

/** Tools that delete. Redis frees the memory in the background (UNLINK), so large values do not block it. */
export const deleteTools = (database: Database): ServerTool[] => [
  tool({
    name: 'delete',
    title: 'Delete keys',
    description: 'Delete one or more keys from Redis',
    annotations: writes(true, true),
    input: z.object({
      key: z.union([keyText, z.array(keyText).max(maxKeys)]).describe('Key or array of keys to delete'),
      keyEncoding: encodingOf('the keys are'),
    }),
    output: z.object({ deleted: z.int().describe('How many of the keys were there') }),
    async run({ key, keyEncoding }, ctx) {
      const keys = [key].flat().map((one) => readKey(one, keyEncoding).bytes)
      for (const one of keys) database.keyspace.check(one)
      const deleted = await unlink(database, keys, ctx)
      if (Array.isArray(key)) return answer(`Successfully deleted ${deleted} keys`, { deleted })
      const shown = quoteLines(key)
      return answer(deleted === 1 ? `Successfully deleted key: ${shown}` : `Key not found: ${shown}`, { deleted })
    },
  }),
  tool({
    name: 'delete_matching',
    title: 'Delete matching keys',
    description: 'Deletes all keys that match a pattern, with progress. Look with list first, or pass dryRun.',
    annotations: writes(true, true),
    input: z.object({
      pattern: z.string().min(1).max(1_000).describe('Pattern as of list, such as cache:*'),
      type: z.enum(keyTypes).optional().describe('Only keys of this type'),
      limit: z.int().min(1).max(1_000_000).default(100_000).describe('Most keys to delete in this call'),
      dryRun: z.boolean().default(false).describe('Only counts'),
    }),
    output: z.object({
      deleted: z.int(),
      matched: z.int(),
      complete: z.boolean().describe('False if there may be more: call again'),
    }),
    async run({ pattern, type, limit, dryRun }, ctx) {
      const total = Number(await database.send('DBSIZE'))
      let cursor: string | undefined
      let [matched, deleted, left] = [0, 0, 0]
      const onStep = scanProgress(ctx, total)
      do {
        const room = Math.min(limit - matched, keysPerCommand)
        const page = await scanKeys(database, { pattern, type, cursor, limit: room, signal: ctx.signal, onStep })
        const keys = page.items.slice(0, limit - matched)
        matched += keys.length
        // A page may have a few keys too many, which its cursor does not come back to.
        left = page.items.length - keys.length
        if (!dryRun) deleted += await unlink(database, keys)
        cursor = page.nextCursor
      } while (cursor !== undefined && matched < limit)
      const complete = cursor === undefined && left === 0
      const more = complete ? [] : ['There may be more: call again.']
      return answer([dryRun ? `${matched} keys match` : `Deleted ${deleted} keys`, ...more], {
        deleted,
        matched,
        complete,
      })
    },
  }),
]

async function unlink(database: Database, keys: readonly Buffer[], ctx?: ToolContext): Promise<number> {
  let deleted = 0
  for (let at = 0; at < keys.length; at += keysPerCommand) {
    ctx?.signal.throwIfAborted()
    const part = keys.slice(at, at + keysPerCommand)
    deleted += Number(await database.send('UNLINK', ...part))
    await ctx?.progress(at + part.length, keys.length, 'keys deleted')
  }
  return deleted
}
