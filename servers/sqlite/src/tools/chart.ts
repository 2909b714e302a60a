import { appTool, supportsApps } from '@tenon/sdk/apps'
import { type ServerTool, type ToolContext, ToolError, ToolResult } from '@tenon/sdk/server'
import { z } from 'zod'
import { chartView } from '../chart-view.ts'
import type { Database } from '../database.ts'
import type { Cell, Page } from '../engine/protocol.ts'
import { pageContent } from './page-result.ts'
import { parameters, query, reading } from './schemas.ts'

const maxPoints = 2_000
const maxSeries = 12
const shownRows = 50

const types = ['bar', 'line', 'area', 'scatter', 'pie'] as const

const output = z.object({
  title: z.string(),
  type: z.enum(types),
  x: z.string().describe('Column of the labels'),
  labels: z.array(z.union([z.string(), z.number(), z.null()])),
  series: z.array(z.object({ name: z.string(), values: z.array(z.number().nullable()) })),
  more: z.boolean().describe('The query has more rows than a chart can show'),
})

/** A chart of a query, as a view where the client can show one. */
export const showChart = (database: Database): ServerTool =>
  appTool({
    name: 'show_chart',
    title: 'Show chart',
    description: `Shows the user a chart of a query, of up to ${maxPoints} rows. The first column has the labels, the others the numbers, unless x and y name them.`,
    app: chartView,
    annotations: reading,
    input: z.object({
      query: query('SELECT SQL query whose rows are drawn'),
      parameters,
      type: z.enum(types).default('bar'),
      title: z.string().max(200).default(''),
      x: z.string().max(1_000).optional().describe('Column of the labels, or of the numbers of the x axis'),
      y: z.array(z.string().max(1_000)).min(1).max(maxSeries).optional().describe('Columns to draw'),
    }),
    output,
    async run({ query: sql, parameters: values, type, title, x, y }, ctx: ToolContext) {
      const { maxResult } = database.settings
      const page = await database.read(
        { kind: 'read', sql, parameters: values, offset: 0, limit: maxPoints, maxBytes: maxResult },
        ctx,
      )
      const structured = { title, type, ...chartData(page, x, y), more: page.nextOffset !== undefined }
      const seen = supportsApps(ctx.caller) ? ['The user sees the chart.'] : []
      const left = page.rows.length - shownRows
      const shown = { ...page, rows: page.rows.slice(0, shownRows), cut: [], nextOffset: undefined as never }
      const more = left > 0 ? [`${left} more rows are in the chart.`] : []
      return new ToolResult({ content: [...seen, ...pageContent(shown), ...more], structured })
    },
  })

function chartData(
  page: Page,
  x: string | undefined,
  y: string[] | undefined,
): Pick<z.infer<typeof output>, 'x' | 'labels' | 'series'> {
  const place = (name: string): number => {
    const found = page.columns.indexOf(name)
    if (found < 0)
      throw new ToolError(`There is no column ${JSON.stringify(name)}; there are ${page.columns.join(', ')}`)
    return found
  }
  const label = x === undefined ? 0 : place(x)
  const drawn = y === undefined ? numericColumns(page, label) : y.map(place)
  if (page.rows.length > 0 && drawn.length === 0) {
    throw new ToolError('There is no column with numbers to draw. Select a label and one or more numbers.')
  }
  return {
    x: page.columns[label] ?? '',
    labels: page.rows.map((row) => labelOf(row[label] ?? null)),
    series: drawn.map((index) => ({
      name: page.columns[index]!,
      values: page.rows.map((row) => numberOf(row[index] ?? null)),
    })),
  }
}

const numericColumns = ({ columns, rows }: Page, label: number): number[] =>
  columns
    .map((_, index) => index)
    .filter((index) => index !== label && rows.some((row) => numberOf(row[index] ?? null) !== null))
    .slice(0, maxSeries)

const labelOf = (cell: Cell): string | number | null =>
  cell !== null && typeof cell === 'object' ? '(blob)' : typeof cell === 'string' ? cell.slice(0, 200) : cell

/** Texts with numbers in them count: SQLite keeps what it was given. */
function numberOf(cell: Cell): number | null {
  if (typeof cell === 'number') return cell
  if (typeof cell !== 'string' || cell.trim() === '') return null
  const number = Number(cell)
  return Number.isFinite(number) ? number : null
}
