import { type ServerTool, type ToolContext, ToolError, ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Schema } from '../schema.ts'
import { reading } from './schemas.ts'

const text = z.string()

/** Tools that show the schema. */
export const schemaTools = (schema: Schema): ServerTool[] => [
  tool({
    name: 'list_tables',
    title: 'List tables',
    description: 'List all tables in the SQLite database, and its views',
    annotations: reading,
    input: z.object({
      limit: z.int().min(1).max(10_000).default(1_000).describe('Tables in the answer'),
      offset: z.int().min(0).default(0).describe('next_offset of the page before'),
    }),
    output: z.object({
      tables: z.array(z.object({ name: text, type: text.describe('table, view or virtual') })),
      next_offset: z.int().optional(),
    }),
    async run({ limit, offset }, ctx: ToolContext) {
      const all = await schema.tables(ctx)
      const tables = all.slice(offset, offset + limit).map(({ name, type }) => ({ name, type }))
      const next = offset + limit < all.length ? { next_offset: offset + limit } : {}
      const more = 'next_offset' in next ? [`There are more. Call again with offset ${next.next_offset}.`] : []
      return new ToolResult({ content: [JSON.stringify(tables), ...more], structured: { tables, ...next } })
    },
  }),
  tool({
    name: 'describe_table',
    title: 'Describe table',
    description:
      'Get the schema information for a specific table or view: columns, indexes, foreign keys and the statement that made it',
    annotations: reading,
    input: z.object({ table_name: z.string().min(1).max(1_000).describe('Name of the table to describe') }),
    output: z.object({
      name: text,
      type: text,
      sql: text.nullable(),
      columns: z.array(
        z.object({
          cid: z.int(),
          name: text,
          type: text,
          notnull: z.int(),
          dflt_value: text.nullable(),
          pk: z.int().describe('Place in the primary key, from 1; 0 if it is not in it'),
        }),
      ),
      indexes: z.array(
        z.object({
          name: text,
          unique: z.boolean(),
          origin: text.describe('c: CREATE INDEX, u: UNIQUE, pk'),
          columns: z.array(text),
        }),
      ),
      foreign_keys: z.array(
        z.object({ from: text, table: text, to: text.nullable(), on_update: text, on_delete: text }),
      ),
    }),
    async run({ table_name }, ctx: ToolContext) {
      const found = await schema.describe(table_name, ctx)
      if (found === undefined) {
        throw new ToolError(`There is no table ${JSON.stringify(table_name)}. list_tables shows what there is.`)
      }
      const { columns, indexes, foreign_keys, sql } = found
      const more = [
        ...(indexes.length > 0 ? [`Indexes: ${JSON.stringify(indexes)}`] : []),
        ...(foreign_keys.length > 0 ? [`Foreign keys: ${JSON.stringify(foreign_keys)}`] : []),
        ...(sql === null ? [] : [sql]),
      ]
      const lines = columns.map((column) => JSON.stringify(column))
      return new ToolResult({ content: [`[${lines.join(',\n')}]`, ...more], structured: { ...found } })
    },
  }),
]
