import { type ServerTool, type ToolContext, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { addObservations, createEntities, createRelations } from '../edits/additions.ts'
import { contents, entity, maxPerCall, namespace, nameText, relation, source } from './schemas.ts'
import { answer, authorOf, type Memory, originFrom } from './tool-context.ts'

const annotations = { readOnly: false, destructive: false, idempotent: true, openWorld: false } as const

/** The original's tools that add something. */
export const createTools = ({ namespaces }: Memory): ServerTool[] => [
  tool({
    name: 'create_entities',
    title: 'Create entities',
    description:
      'Creates entities in the memory. An entity whose name exists is left as it is; the answer has those that were created.',
    input: z.object({ entities: z.array(entity).max(maxPerCall), source, namespace }),
    output: z.object({ entities: z.array(entity) }),
    annotations,
    run: async ({ entities, source, namespace }, ctx: ToolContext) => {
      const author = authorOf(ctx)
      const created = await namespaces
        .store(namespace)
        .change('create_entities', author, (graph, at) =>
          createEntities(graph, entities, originFrom(at, author, source)),
        )
      return answer({ entities: created }, created)
    },
  }),
  tool({
    name: 'create_relations',
    title: 'Create relations',
    description:
      'Creates relations between entities, in active voice. Those that exist are left as they are; the answer has those that were created.',
    input: z.object({ relations: z.array(relation).max(maxPerCall), namespace }),
    output: z.object({ relations: z.array(relation) }),
    annotations,
    run: async ({ relations, namespace }, ctx: ToolContext) => {
      const created = await namespaces
        .store(namespace)
        .change('create_relations', authorOf(ctx), (graph) => createRelations(graph, relations))
      return answer({ relations: created }, created)
    },
  }),
  tool({
    name: 'add_observations',
    title: 'Add observations',
    description:
      'Adds observations to entities. Those that an entity has are left out; if an entity does not exist, nothing is added.',
    input: z.object({
      observations: z
        .array(z.object({ entityName: nameText('The name of the entity to add the observations to'), contents }))
        .max(maxPerCall),
      source,
      namespace,
    }),
    output: z.object({
      results: z.array(z.object({ entityName: z.string(), addedObservations: z.array(z.string()) })),
    }),
    annotations,
    run: async ({ observations, source, namespace }, ctx: ToolContext) => {
      const author = authorOf(ctx)
      const results = await namespaces
        .store(namespace)
        .change('add_observations', author, (graph, at) =>
          addObservations(graph, observations, originFrom(at, author, source)),
        )
      return answer({ results }, results)
    },
  }),
]
