import { type ServerTool, type ToolContext, ToolError, ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Database } from '../database.ts'
import type { Format } from '../engine/protocol.ts'
import { formatRows } from '../engine/tabular.ts'
import { allowedFile } from '../folders.ts'
import { parameters, query, reading } from './schemas.ts'

const formats = ['csv', 'json', 'jsonl'] as const
const format = z
  .enum(formats)
  .describe('csv with a header line, json (an array of objects) or jsonl (an object per line)')

const maxTextLength = 10_000_000

const path = z.string().min(1).max(4_096)

/** Tools that move rows in and out. */
export const exchangeTools = (database: Database): ServerTool[] => [
  exportQuery(database),
  exportToFile(database),
  importData(database),
]

const exportQuery = (database: Database): ServerTool =>
  tool({
    name: 'export_query',
    title: 'Export query',
    description: 'The rows of a query as CSV or JSON text, in pages. NULL is an empty field in CSV; blobs are base64.',
    annotations: reading,
    input: z.object({
      query: query('SELECT SQL query to export'),
      parameters,
      format,
      limit: z.int().min(1).optional().describe('Rows in the answer. Default: as many as fit'),
      offset: z.int().min(0).default(0).describe('next_offset of the page before'),
    }),
    output: z.object({ text: z.string(), rows: z.int(), next_offset: z.int().optional() }),
    async run({ query: sql, parameters: values, format: as, limit, offset }, ctx: ToolContext) {
      const { maxRows, maxResult } = database.settings
      const page = await database.read(
        {
          kind: 'read',
          sql,
          parameters: values,
          offset,
          limit: Math.min(limit ?? maxRows, maxRows),
          maxBytes: maxResult,
        },
        ctx,
      )
      if (page.cut.length > 0) {
        const [{ column, row }] = page.cut as [(typeof page.cut)[0]]
        throw new ToolError(
          `${column} in row ${offset + row + 1} is too long for an answer. Leave the column out, or use export_to_file.`,
        )
      }
      const text = [...formatRows(page.columns, page.rows, as)].join('')
      const next = page.nextOffset === undefined ? {} : { next_offset: page.nextOffset }
      const more =
        page.nextOffset === undefined ? [] : [`There are more rows. Call again with offset ${page.nextOffset}.`]
      return new ToolResult({ content: [text, ...more], structured: { text, rows: page.rows.length, ...next } })
    },
  })

const exportToFile = (database: Database): ServerTool =>
  tool({
    name: 'export_to_file',
    title: 'Export to file',
    description:
      'Writes all rows of a query to a new file in an allowed folder. A file that exists is never overwritten.',
    annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    input: z.object({
      query: query('SELECT SQL query to export'),
      parameters,
      file: path.describe('The new file; a relative path is in the first allowed folder'),
      format: format.optional().describe('Default: by the ending of the file (.csv, .json, .jsonl)'),
    }),
    output: z.object({ file: z.string(), rows: z.int(), bytes: z.int() }),
    async run({ query: sql, parameters: values, file, format: as }, ctx: ToolContext) {
      const allowed = await allowedFile(file, database.settings, ctx)
      const call = { kind: 'export', sql, parameters: values, format: as ?? formatOf(file), file: allowed } as const
      const { rows, bytes } = await database.read(call, ctx)
      const structured = { file: allowed.path, rows, bytes }
      return new ToolResult({ content: `${rows} rows, ${bytes} bytes in ${allowed.path}`, structured })
    },
  })

const importData = (database: Database): ServerTool =>
  tool({
    name: 'import_data',
    title: 'Import data',
    description:
      'Adds the records of a CSV or JSON text, or of a file in an allowed folder, to a table: all of them or none. Names of columns come from the header or from the members of the objects.',
    annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    input: z.object({
      table: z.string().min(1).max(1_000).describe('Name of the table'),
      text: z.string().max(maxTextLength).optional().describe('The records'),
      file: path.optional().describe('A file with the records, instead of text'),
      format: format.optional().describe('Default: by the ending of the file; csv for text'),
      create: z
        .boolean()
        .default(false)
        .describe('Create the table if it is not there, with types that fit the first 1,000 records'),
      empty_as_null: z.boolean().default(true).describe('Empty fields of CSV become NULL'),
    }),
    output: z.object({ rows: z.int(), columns: z.array(z.string()), created: z.boolean() }),
    async run({ table, text, file, format: as, create, empty_as_null }, ctx: ToolContext) {
      if ((text === undefined) === (file === undefined)) throw new ToolError('Expected one of text and file.')
      const allowed = file === undefined ? undefined : await allowedFile(file, database.settings, ctx)
      const structured = await database.write(
        {
          kind: 'import',
          table,
          text,
          file: allowed,
          format: as ?? (file === undefined ? 'csv' : formatOf(file)),
          create,
          emptyAsNull: empty_as_null,
        },
        ctx,
      )
      const { rows, columns, created } = structured
      const content = `${rows} rows added to ${table}${created ? ', which was created' : ''} (${columns.join(', ')})`
      return new ToolResult({ content, structured: { ...structured } })
    },
  })

function formatOf(file: string): Format {
  const ending = file.toLowerCase().split('.').pop()
  if (ending === 'ndjson') return 'jsonl'
  const found = formats.find((one) => one === ending)
  if (found === undefined)
    throw new ToolError('format: expected csv, json or jsonl, since the name of the file has no such ending')
  return found
}
