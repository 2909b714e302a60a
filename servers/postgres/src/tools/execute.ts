import { createHash } from 'node:crypto'
import { visible } from '@tenon/sdk/display'
import { type ServerTool, type ToolContext, ToolError, ToolResult, tool } from '@tenon/sdk/server'
import { newQuestionKey } from '@tenon/server-kit'
import { z } from 'zod'
import type { Database, Run } from '../database/database.ts'
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

const maxShown = 2_000

/** Changes data or tables. It exists if the operator allows it, and asks the user unless the operator says otherwise. */
export const executeTool = (database: Database, onChanged: () => void): ServerTool =>
  tool({
    name: 'execute',
    title: 'Change the database',
    description:
      'Run one statement that changes data or tables, in a transaction of its own. The user may be asked first, with the number of rows.',
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    visible: () => database.settings.current.write !== 'off',
    input: z.object({ sql: sqlParameter, params: paramsParameter, role: roleParameter }),
    output: z.object({
      command: z.string().describe('The command and the number of rows, such as UPDATE 3'),
      columns: columnsField,
      rows: rowsField,
      row_count: z.int().describe('Rows of RETURNING that are shown'),
    }),
    async run({ sql, params, role }, ctx) {
      const { maxRows, maxResult, write, confirm } = database.settings.current
      const run: Run = {
        mode: 'write',
        text: sql,
        parameters: parametersOf(params),
        offset: 0,
        maxRows,
        maxBytes: maxResult,
        mustReturnRows: false,
        isDrained: true,
        role,
        signal: ctx.signal,
      }
      const expected = write === 'ask' || confirm ? await allowedTag(database, run, params, ctx) : undefined
      const refuse = (tag: string | undefined): string | undefined =>
        expected === undefined || expected === tag
          ? undefined
          : `The user allowed ${expected}, and it came out as ${tag}: the data has changed. Nothing was changed; call again.`
      const result = await answering(database.run({ ...run, refuse: ({ tag }) => refuse(tag) }))
      onChanged()
      const { next_offset: _left, ...page } = rowPage(result, 0)
      const command = result.tag ?? ''
      const rows = page.columns.length === 0 ? [] : [rowsText(page.columns, page.rows)]
      const content = [command, ...rows].map((text) => ({ type: 'text' as const, text }))
      return new ToolResult({ content, structured: { command, ...page } })
    },
  })

/**
 * Tries the statement, takes it back, and asks the user with its outcome. No lock waits for the user: the statement runs
 * again after the answer, and is committed if it comes out the same.
 */
async function allowedTag(
  database: Database,
  run: Run,
  params: readonly unknown[] | undefined,
  ctx: ToolContext,
): Promise<string | undefined> {
  if (ctx.caller.capabilities.elicitation === undefined) throw new ToolError(cannotAsk)
  const { tag } = await answering(database.run({ ...run, mode: 'preview' }))
  const values = params === undefined || params.length === 0 ? '' : `\n\nwith ${shown(JSON.stringify(params))}`
  const question = `Allow this change of the database?\n\n${shown(run.text)}${values}\n\nIt would be: ${tag}`
  // Another outcome is another question: the answer to the one before does not count for it.
  const asked = `${await newQuestionKey(ctx)} ${question}`
  const key = `change-${createHash('sha256').update(asked).digest('hex').slice(0, 16)}`
  const { action } = await ctx.elicit(question, z.object({}), { key })
  if (action !== 'accept') throw new ToolError('The user did not allow it. Nothing was changed.')
  return tag
}

const cannotAsk =
  'This server asks the user before it changes something, and this client has no way to ask (elicitation). Nothing was changed.'

const shown = (sql: string): string =>
  visible(sql.length <= maxShown ? sql : `${sql.slice(0, maxShown)}… (${sql.length - maxShown} more characters)`)
