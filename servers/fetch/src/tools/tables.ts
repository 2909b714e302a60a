import { type ServerTool, ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { tableMarkdown } from '../page/table-markdown.ts'
import type { Web } from '../web.ts'
import { describeDocument, documentOutput, goOn, pageOf, reads, startInput, urlInput } from './shared.ts'

export const tablesTool = (web: Web): ServerTool =>
  tool({
    name: 'fetch_tables',
    title: 'Tables of a web page',
    description: 'Reads the tables of a web page as rows of texts. Tables that only arrange the page are left out.',
    annotations: reads,
    input: z.object({
      url: urlInput,
      max_tables: z.int().min(1).max(50).default(10),
      max_rows: z.int().min(1).max(500).default(100).describe('Rows of each table.'),
      start_index: startInput,
    }),
    output: z.object({
      ...documentOutput,
      tables: z.array(
        z.object({
          caption: z.string(),
          header: z.array(z.string()),
          rows: z.array(z.array(z.string())),
          truncated: z.boolean().describe('The table has more rows or columns'),
        }),
      ),
      total: z.int(),
      next_start_index: z.int().optional(),
    }),
    async run({ url, max_tables, max_rows, start_index }, { signal }) {
      const document = await web.open(url, { signal, continuing: start_index > 0 })
      const page = await web.page(document, signal)
      const { items, total, next } = pageOf(page.tables, start_index, max_tables)
      const tables = items.map((table) => ({
        ...table,
        rows: table.rows.slice(0, max_rows),
        truncated: table.truncated || table.rows.length > max_rows,
      }))
      const shown = tables.map((table) => tableMarkdown(table) + (table.truncated ? '\n\n(There are more rows.)' : ''))
      return new ToolResult({
        content: `${total} tables of ${document.url}:\n\n${shown.join('\n\n')}${goOn('fetch_tables', next)}`,
        structured: {
          ...describeDocument(document, page.metadata.title),
          tables,
          total,
          ...(next !== undefined && { next_start_index: next }),
        },
      })
    },
  })
