import { type ServerTool, type ToolContext, ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { deleteEntities, deleteObservations, deleteRelations, type Removed } from '../edits/removals.ts'
import { maxPerCall, namespace, nameText, observations, relation } from './schemas.ts'
import { authorOf, type Memory } from './tool-context.ts'

const annotations = { readOnly: false, destructive: true, idempotent: true, openWorld: false } as const
/** More names are counted instead of listed. */
const maxListed = 20

const output = z.object({
  success: z.boolean(),
  message: z.string(),
  deleted: z.int().describe('How many were there and are gone'),
})

function deletedResult(things: string, { removed, missing }: Removed): ToolResult {
  const listed = missing.slice(0, maxListed).join(', ')
  const more = missing.length > maxListed ? ` and ${missing.length - maxListed} more` : ''
  const hint = missing.length === 0 ? '' : `. Not found: ${listed}${more}`
  const message = `${things} deleted successfully${hint}`
  return new ToolResult({ content: message, structured: { success: true, message, deleted: removed } })
}

/** The original's tools that delete something. */
export const deleteTools = ({ namespaces }: Memory): ServerTool[] => [
  tool({
    name: 'delete_entities',
    title: 'Delete entities',
    description: 'Deletes entities and all relations that begin or end at them. undo_change takes it back.',
    input: z.object({
      entityNames: z.array(nameText('A name')).max(maxPerCall).describe('The names of the entities to delete'),
      namespace,
    }),
    output,
    annotations,
    run: async ({ entityNames, namespace }, ctx: ToolContext) => {
      const store = namespaces.store(namespace)
      const removed = await store.change('delete_entities', authorOf(ctx), (graph) =>
        deleteEntities(graph, entityNames),
      )
      return deletedResult('Entities', removed)
    },
  }),
  tool({
    name: 'delete_observations',
    title: 'Delete observations',
    description: 'Deletes observations from entities. undo_change takes it back.',
    input: z.object({
      deletions: z
        .array(z.object({ entityName: nameText('The name of the entity with the observations'), observations }))
        .max(maxPerCall),
      namespace,
    }),
    output,
    annotations,
    run: async ({ deletions, namespace }, ctx: ToolContext) => {
      const store = namespaces.store(namespace)
      const removed = await store.change('delete_observations', authorOf(ctx), (graph) =>
        deleteObservations(graph, deletions),
      )
      return deletedResult('Observations', removed)
    },
  }),
  tool({
    name: 'delete_relations',
    title: 'Delete relations',
    description: 'Deletes relations between entities. undo_change takes it back.',
    input: z.object({ relations: z.array(relation).max(maxPerCall).describe('The relations to delete'), namespace }),
    output,
    annotations,
    run: async ({ relations, namespace }, ctx: ToolContext) => {
      const store = namespaces.store(namespace)
      const removed = await store.change('delete_relations', authorOf(ctx), (graph) =>
        deleteRelations(graph, relations),
      )
      return deletedResult('Relations', removed)
    },
  }),
]
