import { type ServerTool, ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { rowPage, rowsText } from '../result-text.ts'
import {
  answering,
  columnsField,
  parametersOf,
  paramsParameter,
  roleParameter,
  rowsField,
  sqlParameter,
} from './statement-tool.ts'

const maxOffset = 1_000_000_000

export const queryTool = (database: Database): ServerTool =>
  tool({
    name: 'query',
    title: 'Query',
    description:
      'Run a read-only SQL query: one statement that returns rows. A long result is a page; next_offset leads to the next one.',
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    input: z.object({
      sql: sqlParameter,
      params: paramsParameter,
      limit: z.int().min(1).max(1_000_000).optional().describe('Rows at most; the server has a limit of its own'),
      offset: z.int().min(0).max(maxOffset).default(0).describe('Rows to pass over: next_offset of the page before'),
      role: roleParameter,
    }),
    output: z.object({
      columns: columnsField,
      rows: rowsField,
      row_count: z.int(),
      next_offset: z.int().optional().describe('Offset of the next page, if there is one'),
    }),
    async run({ sql, params, limit, offset, role }, ctx) {
      const { maxRows, maxResult } = database.settings.current
      const result = await answering(
        database.run({
          mode: 'read',
          text: sql,
          parameters: parametersOf(params),
          offset,
          maxRows: Math.min(limit ?? maxRows, maxRows),
          maxBytes: maxResult,
          mustReturnRows: true,
          role,
          signal: ctx.signal,
          onRows: (count) => void ctx.progress(count, undefined, `${count} rows`),
        }),
      )
      const page = rowPage(result, offset)
      const more = page.next_offset === undefined ? [] : [moreText(page.row_count, page.next_offset)]
      const content = [rowsText(page.columns, page.rows), ...more].map((text) => ({ type: 'text' as const, text }))
      return new ToolResult({ content, structured: page })
    },
  })

const moreText = (count: number, next: number): string =>
  `These are ${count} rows, and there are more: call again with offset ${next}, and with ORDER BY so that pages fit together.`
