import { type ServerTool, type ToolContext, ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Database } from '../database.ts'
import type { Page } from '../engine/protocol.ts'
import { pageContent, structuredPage } from './page-result.ts'
import { pageFields, parameters, query, reading } from './schemas.ts'

const usualRows = 1_000

/** Tools that run a statement. */
export const queryTools = (database: Database): ServerTool[] => [
  readQuery(database),
  writeQuery(database),
  createTable(database),
  explainQuery(database),
]

const readQuery = (database: Database): ServerTool =>
  tool({
    name: 'read_query',
    title: 'Read query',
    description:
      'Execute a SELECT query on the SQLite database, or any other statement that only reads, such as WITH … SELECT, VALUES or PRAGMA table_info. The engine refuses everything that would change something.',
    annotations: reading,
    input: z.object({
      query: query('SELECT SQL query to execute'),
      parameters,
      limit: z.int().min(1).optional().describe(`Rows in the answer. Default: ${usualRows}`),
      offset: z.int().min(0).default(0).describe('Rows to leave out at the beginning; next_offset of the page before'),
    }),
    output: z.object(pageFields),
    async run({ query: sql, parameters: values, limit = usualRows, offset }, ctx: ToolContext) {
      const { maxRows, maxResult } = database.settings
      const page = await database.read(
        { kind: 'read', sql, parameters: values, offset, limit: Math.min(limit, maxRows), maxBytes: maxResult },
        ctx,
      )
      return new ToolResult({ content: pageContent(page), structured: { ...structuredPage(page) } })
    },
  })

const writeQuery = (database: Database): ServerTool =>
  tool({
    name: 'write_query',
    title: 'Write query',
    description:
      'Execute an INSERT, UPDATE, or DELETE query on the SQLite database, or one that changes the schema (CREATE, ALTER, DROP). One statement per call, which is a transaction of its own. RETURNING answers the changed rows.',
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    input: z.object({ query: query('SQL query to execute'), parameters }),
    output: z.object({
      affected_rows: z.int(),
      last_insert_rowid: z.union([z.number(), z.string()]).optional(),
      columns: pageFields.columns.optional(),
      rows: pageFields.rows.optional(),
      omitted: z.boolean().optional().describe('There were more rows than fit into the answer'),
      cut: pageFields.cut,
    }),
    async run({ query: sql, parameters: values }, ctx: ToolContext) {
      const { maxRows: limit, maxResult: maxBytes } = database.settings
      const { affectedRows, lastInsertRowid, ...page } = await database.write(
        { kind: 'write', may: 'change', sql, parameters: values, limit, maxBytes },
        ctx,
      )
      const { columns, rows, cut, next_offset } = structuredPage(page)
      const structured = {
        affected_rows: affectedRows,
        ...(lastInsertRowid !== undefined && { last_insert_rowid: lastInsertRowid }),
        ...(columns.length > 0 && { columns, rows }),
        ...(next_offset !== undefined && { omitted: true }),
        ...(cut && { cut }),
      }
      return new ToolResult({ content: writeContent(affectedRows, page), structured })
    },
  })

function writeContent(affectedRows: number, page: Page): string[] {
  const summary = JSON.stringify([{ affected_rows: affectedRows }])
  if (page.columns.length === 0) return [summary]
  const { nextOffset, ...shown } = page
  const more = nextOffset === undefined ? [] : ['There were more rows than fit here. Read them with read_query.']
  return [summary, ...pageContent(shown), ...more]
}

const createTable = (database: Database): ServerTool =>
  tool({
    name: 'create_table',
    title: 'Create table',
    description: 'Create a new table in the SQLite database. It does nothing else: the engine refuses other changes.',
    annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    input: z.object({ query: query('CREATE TABLE SQL statement') }),
    output: z.object({ created: z.boolean().describe('False if IF NOT EXISTS found it') }),
    async run({ query: sql }, ctx: ToolContext) {
      const before = await schemaVersion(database, ctx)
      await database.write(
        { kind: 'write', may: 'create-table', sql, limit: 1, maxBytes: database.settings.maxResult },
        ctx,
      )
      const created = (await schemaVersion(database, ctx)) !== before
      const content = created ? 'Table created successfully' : 'The table was there already.'
      return new ToolResult({ content, structured: { created } })
    },
  })

async function schemaVersion(database: Database, ctx: ToolContext): Promise<unknown> {
  const call = { kind: 'read', sql: 'PRAGMA schema_version', offset: 0, limit: 1, maxBytes: 1_000 } as const
  return (await database.read(call, ctx)).rows[0]?.[0]
}

const explainQuery = (database: Database): ServerTool =>
  tool({
    name: 'explain_query',
    title: 'Explain query',
    description:
      'Shows how the database would run a statement: which tables it scans and which indexes it uses. Nothing runs, so statements that change something can be explained, too.',
    annotations: reading,
    input: z.object({
      query: query('SQL statement to explain, without EXPLAIN'),
      bytecode: z.boolean().default(false).describe('Show the program of the virtual machine instead of the plan'),
    }),
    output: z.object(pageFields),
    async run({ query: sql, bytecode }, ctx: ToolContext) {
      const { maxRows: limit, maxResult: maxBytes } = database.settings
      const page = await database.read({ kind: 'explain', sql, bytecode, limit, maxBytes }, ctx)
      const content = bytecode ? pageContent(page) : planText(page)
      return new ToolResult({ content, structured: { ...structuredPage(page) } })
    },
  })

/** The plan as an indented list. */
function planText({ rows }: Page): string {
  const depths = new Map<unknown, number>([[0, 0]])
  const lines = rows.map(([id, parent, , detail]) => {
    const depth = depths.get(parent) ?? 0
    depths.set(id, depth + 1)
    return `${'  '.repeat(Math.min(depth, 50))}${detail}`
  })
  return lines.join('\n') || 'Nothing to plan.'
}
