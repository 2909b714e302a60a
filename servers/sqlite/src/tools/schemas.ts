import { z } from 'zod'
import type { Cell, CutCell, Parameters } from '../engine/protocol.ts'

const maxSqlLength = 1_000_000

export const query = (description: string): z.ZodString => z.string().min(1).max(maxSqlLength).describe(description)

const parameter = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.object({ base64: z.base64() }).strict().describe('A blob'),
])

export const parameters: z.ZodOptional<z.ZodType<Parameters>> = z
  .union([z.array(parameter).max(1_000), z.record(z.string().max(200), parameter)])
  .optional()
  .describe(
    'Values for the placeholders of the query: a list for ?, an object for :name. Use them for everything that is not part of the query itself',
  ) as z.ZodOptional<z.ZodType<Parameters>>

const cell = {
  anyOf: [
    { type: 'null' },
    { type: 'number' },
    { type: 'string', description: 'Also an integer beyond 2^53, and Infinity' },
    { type: 'object', properties: { base64: { type: 'string' } }, required: ['base64'] },
  ],
}

/** Rows are made here, thousands at a time: they are described for the client, and not checked one by one. */
const rows = z.unknown().meta({
  type: 'array',
  items: { type: 'array', items: cell },
  description: 'Values in the order of the columns',
}) as z.ZodType<Cell[][]>

const cut: z.ZodType<CutCell[]> = z.array(
  z.object({ row: z.int(), column: z.string(), length: z.int().describe('Of the whole value') }),
)

interface PageFields {
  columns: z.ZodType<string[]>
  rows: z.ZodType<Cell[][]>
  next_offset: z.ZodOptional<z.ZodType<number>>
  cut: z.ZodOptional<z.ZodType<CutCell[]>>
}

/** A page of rows, as tools answer it. */
export const pageFields: PageFields = {
  columns: z.array(z.string()),
  rows,
  next_offset: z.int().optional().describe('There are more rows: call again with this offset'),
  cut: cut.optional().describe('Values that were too long and are shown in part'),
}

export const reading = { readOnly: true, destructive: false, idempotent: true, openWorld: false } as const
