import { type ServerTool, type ToolContext, ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { importLines } from '../edits/import.ts'
import { mergeEntities } from '../edits/merge.ts'
import { readGraph } from '../reading.ts'
import { entityLine, relationLine } from '../records.ts'
import { cursor, entity, maxPerCall, namespace, nameText, source } from './schemas.ts'
import { answer, authorOf, type Memory, originFrom } from './tool-context.ts'

const maxImportLength = 5_000_000
const reading = { readOnly: true, destructive: false, idempotent: true, openWorld: false } as const

/** Tools for whole memories: merging, export, import, namespaces. */
export const exchangeTools = ({ namespaces, maxResultBytes }: Memory): ServerTool[] => [
  tool({
    name: 'merge_entities',
    title: 'Merge entities',
    description:
      'Makes one entity of several that mean the same: moves the observations and relations of the others to it and deletes them. undo_change takes it back.',
    input: z.object({
      into: nameText('The entity that stays'),
      from: z.array(nameText('A name')).min(1).max(maxPerCall).describe('The entities that become part of it'),
      namespace,
    }),
    output: z.object({ entity, movedObservations: z.int(), movedRelations: z.int() }),
    annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    run: async ({ into, from, namespace }, ctx: ToolContext) => {
      const store = namespaces.store(namespace)
      return answer({
        ...(await store.change('merge_entities', authorOf(ctx), (graph) => mergeEntities(graph, into, from))),
      })
    },
  }),
  tool({
    name: 'export_graph',
    title: 'Export the graph',
    description:
      'Writes the memory as JSON lines, which import_graph and the original memory server read, in pages if there is much.',
    input: z.object({ cursor, namespace }),
    output: z.object({ lines: z.int(), jsonl: z.string(), nextCursor: z.string().optional() }),
    annotations: reading,
    run: ({ cursor, namespace }) => {
      const limits = { items: Number.MAX_SAFE_INTEGER, bytes: maxResultBytes() }
      const page = readGraph(namespaces.store(namespace).graph, cursor, limits, true)
      const lines = [...page.entities.map(entityLine), ...page.relations.map(relationLine)]
      const { nextCursor } = page
      const jsonl = lines.join('')
      const rest = nextCursor === undefined ? [] : [`There is more: call again with cursor ${nextCursor}`]
      const structured = { lines: lines.length, jsonl, ...(nextCursor !== undefined && { nextCursor }) }
      return new ToolResult({ content: [jsonl, ...rest], structured })
    },
  }),
  tool({
    name: 'import_graph',
    title: 'Import a graph',
    description:
      'Adds the entities, observations and relations of JSON lines, as export_graph and the original memory server write them. Everything that is known stays; lines that cannot be read are left out and named.',
    input: z.object({
      jsonl: z
        .string()
        .max(maxImportLength)
        .describe('One record in JSON per line; more than 5 MB go in several calls'),
      source,
      namespace,
    }),
    output: z.object({
      createdEntities: z.int(),
      addedObservations: z.int(),
      createdRelations: z.int(),
      unreadableLines: z.int(),
      problems: z.array(z.string()),
    }),
    annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    run: async ({ jsonl, source, namespace }, ctx: ToolContext) => {
      const author = authorOf(ctx)
      const imported = await namespaces
        .store(namespace)
        .change('import_graph', author, (graph, at) => importLines(graph, jsonl, originFrom(at, author, source)))
      return answer({ ...imported })
    },
  }),
  tool({
    name: 'list_namespaces',
    title: 'List namespaces',
    description:
      'Lists the separate memories of this server, with their sizes and the lines of their files that cannot be read.',
    output: z.object({
      namespaces: z.array(
        z.object({
          namespace: z.string(),
          entities: z.int(),
          relations: z.int(),
          changes: z.int().describe('The number of the last change'),
          unreadable: z.array(z.object({ line: z.int(), problem: z.string() })),
        }),
      ),
    }),
    annotations: reading,
    run: () => {
      const listed = namespaces.names().map((namespace) => {
        const store = namespaces.store(namespace)
        const { entities, relations } = store.graph
        const unreadable = store.unreadable.slice(0, 20).map(({ number, problem }) => ({ line: number, problem }))
        return { namespace, entities: entities.size, relations: relations.size, changes: store.seq, unreadable }
      })
      return answer({ namespaces: listed })
    },
  }),
]
