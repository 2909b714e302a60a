import { type ServerTool, ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { readRow } from '../database/values.ts'
import { answering, parametersOf, paramsParameter, roleParameter, sqlParameter } from './statement-tool.ts'

export const explainTool = (database: Database): ServerTool =>
  tool({
    name: 'explain',
    title: 'Explain a statement',
    description:
      'Shows the plan of a statement; with analyze it is run, read-only, and the plan has the real times and rows.',
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    input: z.object({
      sql: sqlParameter,
      params: paramsParameter,
      analyze: z.boolean().default(false).describe('Run the statement'),
      format: z.enum(['text', 'json']).default('text'),
      role: roleParameter,
    }),
    output: z.object({ plan: z.unknown().describe('Lines of text, or the plan as data') }),
    async run({ sql, params, analyze, format, role }, ctx) {
      const { maxRows, maxResult } = database.settings.current
      const prefix = `EXPLAIN (ANALYZE ${analyze}, FORMAT ${format}) `
      const result = await answering(
        database.run({
          mode: 'read',
          text: prefix + sql,
          prefix: prefix.length,
          parameters: parametersOf(params),
          offset: 0,
          maxRows: Math.max(maxRows, 1_000),
          maxBytes: maxResult,
          mustReturnRows: true,
          role,
          signal: ctx.signal,
        }),
      )
      const values = result.rows.map((row) => readRow(row, result.columns)[0])
      const plan = format === 'json' ? values[0] : values
      const text = format === 'json' ? JSON.stringify(plan, null, 2) : values.join('\n')
      return new ToolResult({ content: text, structured: { plan } })
    },
  })
