import { type ServerTool, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { readNeighborhood } from '../neighborhood.ts'
import { Room, readGraph, readOffset, relationsAmong, shownEntity, writeCursor } from '../reading.ts'
import { cursor, shownEntity as entityOutput, namespace, nameText, shownRelation, withOrigins } from './schemas.ts'
import { answer, type Memory } from './tool-context.ts'

const annotations = { readOnly: true, destructive: false, idempotent: true, openWorld: false } as const
const maxItems = 10_000
const maxFound = 1_000

const page = {
  entities: z.array(entityOutput),
  relations: z.array(shownRelation),
  nextCursor: z.string().optional().describe('Pass it as cursor to get the rest'),
}

const leftOut = z.int().optional().describe('Relations that did not fit; read_neighborhood has those of one entity')

/** The original's tools that read, with pages, and neighborhoods. */
export const readTools = ({ namespaces, maxResultBytes }: Memory): ServerTool[] => [
  tool({
    name: 'read_graph',
    title: 'Read the graph',
    description: 'Reads the whole memory: first all entities, then all relations, in pages if there are many.',
    input: z.object({
      cursor,
      limit: z.int().min(1).max(maxItems).default(maxItems).describe('Entities and relations in one page'),
      withOrigins,
      namespace,
    }),
    output: z.object(page),
    annotations,
    run: ({ cursor, limit, withOrigins, namespace }) => {
      const limits = { items: limit, bytes: maxResultBytes() }
      return answer(readGraph(namespaces.store(namespace).graph, cursor, limits, withOrigins))
    },
  }),
  tool({
    name: 'search_nodes',
    title: 'Search nodes',
    description:
      'Finds entities by words, or parts of words, in their name, type and observations, the best first, with the relations that begin or end at them. If no entity has all words, those with some of them are found.',
    input: z.object({
      query: z.string().max(10_000).describe('Words to look for in names, types and observations'),
      cursor,
      limit: z.int().min(1).max(maxFound).default(100).describe('Entities in one page'),
      withOrigins,
      namespace,
    }),
    output: z.object({
      ...page,
      total: z.int().describe('How many entities were found'),
      matched: z.enum(['all', 'any']).describe('Whether the entities have all words of the query, or some of them'),
      relationsLeftOut: leftOut,
    }),
    annotations,
    run: ({ query, cursor, limit, withOrigins, namespace }) => {
      const store = namespaces.store(namespace)
      const offset = readOffset(cursor)
      const found = store.index.search(query, offset, limit)
      const room = new Room({ items: maxItems, bytes: maxResultBytes() })
      const all = found.entities.map((entity) => shownEntity(entity, withOrigins))
      const fitting = all.findIndex((entity) => !room.take(entity))
      const entities = fitting < 0 ? all : all.slice(0, fitting)
      const { relations, leftOut } = relationsAmong(store.graph, names(entities), room)
      const end = offset + entities.length
      return answer({
        entities,
        relations,
        total: found.total,
        matched: found.matched,
        ...(end < found.total && { nextCursor: writeCursor('offset', String(end)) }),
        ...(leftOut > 0 && { relationsLeftOut: leftOut }),
      })
    },
  }),
  tool({
    name: 'open_nodes',
    title: 'Open nodes',
    description: 'Reads entities by their names, with the relations that begin or end at them.',
    input: z.object({
      names: z.array(nameText('A name')).max(maxFound).describe('The names of the entities'),
      withOrigins,
      namespace,
    }),
    output: z.object({
      entities: page.entities,
      relations: page.relations,
      notShown: z.array(z.string()).optional().describe('Names whose entities did not fit: open them in another call'),
      relationsLeftOut: leftOut,
    }),
    annotations,
    run: (input) => {
      const { graph } = namespaces.store(input.namespace)
      const room = new Room({ items: maxItems, bytes: maxResultBytes() })
      const known = [...new Set(input.names)].flatMap((name) => graph.entities.get(name) ?? [])
      const all = known.map((entity) => shownEntity(entity, input.withOrigins))
      const fitting = all.findIndex((entity) => !room.take(entity))
      const entities = fitting < 0 ? all : all.slice(0, fitting)
      const { relations, leftOut } = relationsAmong(graph, names(entities), room)
      return answer({
        entities,
        relations,
        ...(fitting >= 0 && { notShown: names(all.slice(fitting)) }),
        ...(leftOut > 0 && { relationsLeftOut: leftOut }),
      })
    },
  }),
  tool({
    name: 'read_neighborhood',
    title: 'Read a neighborhood',
    description: 'Reads the entities around others, up to a number of steps along relations, the nearest first.',
    input: z.object({
      names: z.array(nameText('A name')).min(1).max(100).describe('The entities to start from'),
      depth: z.int().min(1).max(10).default(1).describe('Steps from the start'),
      direction: z.enum(['out', 'in', 'both']).default('both').describe('Along relations, against them, or both'),
      relationTypes: z.array(nameText('A type')).max(100).optional().describe('Follow only relations of these types'),
      limit: z.int().min(1).max(maxItems).default(1_000).describe('Entities and relations in the answer'),
      namespace,
    }),
    output: z.object({
      entities: z.array(entityOutput.extend({ distance: z.int().describe('Steps from the start') })),
      relations: page.relations,
      isCut: z.boolean().describe('There was more: ask for fewer steps, or start from the entities at the edge'),
    }),
    annotations,
    run: ({ limit, namespace, ...query }) => {
      const limits = { items: limit, bytes: maxResultBytes() }
      return answer(readNeighborhood(namespaces.store(namespace).graph, query, limits))
    },
  }),
]

const names = (entities: readonly { name: string }[]): string[] => entities.map(({ name }) => name)
