import { type ServerTool, type ToolContext, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { undoChange } from '../edits/undo.ts'
import { Room, readOffset, writeCursor } from '../reading.ts'
import { type Change, touchedBy, undoneAmong } from '../store/change.ts'
import { cursor, namespace, nameText } from './schemas.ts'
import { answer, authorOf, type Memory } from './tool-context.ts'

const maxEntities = 20

const change = z.object({
  change: z.int().describe('The number of the change, for undo_change'),
  at: z.string(),
  by: z.string().optional().describe('The client, as it calls itself'),
  tool: z.string(),
  entities: z.array(z.string()).describe('The entities that it is about, the first of them'),
  steps: z.int().describe('How many entities, relations and groups of observations came or went'),
  undoes: z.int().optional().describe('The change that this one took back'),
  isUndone: z.boolean(),
})

function summary(given: Change, isUndone: boolean): z.infer<typeof change> {
  const { seq, at, by, tool, undoes, effects } = given
  return {
    change: seq,
    at,
    ...(by !== undefined && { by }),
    tool,
    entities: [...touchedBy(given)].slice(0, maxEntities),
    steps: effects.length,
    ...(undoes !== undefined && { undoes }),
    isUndone,
  }
}

export const historyTools = ({ namespaces, maxResultBytes }: Memory): ServerTool[] => [
  tool({
    name: 'read_history',
    title: 'Read the history',
    description: 'Lists the changes of the memory, the newest first: when, by which client, and which entities.',
    input: z.object({
      entityName: nameText('Only changes of this entity').optional(),
      cursor,
      limit: z.int().min(1).max(1_000).default(50).describe('Changes in one page'),
      namespace,
    }),
    output: z.object({ changes: z.array(change), nextCursor: z.string().optional() }),
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    run: ({ entityName, cursor, limit, namespace }) => {
      const all = namespaces.store(namespace).newestFirst()
      const undone = undoneAmong(all)
      const wanted = entityName === undefined ? all : all.filter((one) => touchedBy(one).has(entityName))
      const offset = readOffset(cursor)
      const room = new Room({ items: limit, bytes: maxResultBytes() })
      const changes = []
      for (const one of wanted.slice(offset, offset + limit)) {
        const shown = summary(one, undone.has(one.seq))
        if (!room.take(shown)) break
        changes.push(shown)
      }
      const end = offset + changes.length
      return answer({ changes, ...(end < wanted.length && { nextCursor: writeCursor('offset', String(end)) }) })
    },
  }),
  tool({
    name: 'undo_change',
    title: 'Undo a change',
    description:
      'Takes back a change of the memory: the last one, or the one with the given number of read_history. Undoing an undo does the change again.',
    input: z.object({ change: z.int().min(1).optional().describe('The number of the change'), namespace }),
    output: z.object({ undone: change }),
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    run: async ({ change, namespace }, ctx: ToolContext) => {
      const undone = await namespaces
        .store(namespace)
        .change('undo_change', authorOf(ctx), (graph, _at, newestFirst) => undoChange(graph, newestFirst(), change))
      return answer({ undone: summary(undone, true) })
    },
  }),
]
