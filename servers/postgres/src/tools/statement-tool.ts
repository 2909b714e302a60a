import { ToolError } from '@tenon/sdk/server'
import { z } from 'zod'
import { Refusal } from '../database/errors.ts'
import { type Json, writeParameter } from '../database/values.ts'

const maxSql = 1_000_000

export const sqlParameter: z.ZodString = z
  .string()
  .min(1)
  .max(maxSql)
  // The protocol ends texts with this character.
  .regex(/^[^\0]*$/, 'expected SQL without NUL characters')
  .describe('One SQL statement')

export const paramsParameter: z.ZodOptional<z.ZodArray<z.ZodUnknown>> = z
  .array(z.unknown())
  .max(1_000)
  .optional()
  .describe('Values of $1, $2, … in the statement: text, numbers, booleans, null, lists for arrays, objects for json')

export const roleParameter: z.ZodOptional<z.ZodString> = z
  .string()
  .min(1)
  .max(63)
  .optional()
  .describe('The role to run as: one that the server was started with. list_roles shows them')

/** Writes the parameters of a call when the server has told their types. */
export function parametersOf(given: readonly unknown[] | undefined): (typeIds: readonly number[]) => (string | null)[] {
  return (typeIds) => {
    const values = (given ?? []) as readonly Json[]
    if (values.length !== typeIds.length) {
      throw new Refusal(`The statement has ${typeIds.length} parameters, and params has ${values.length} values.`)
    }
    return values.map((value, index) => writeParameter(value, typeIds[index]))
  }
}

/** A refusal of the database is an error that the model can read. */
export async function answering<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Refusal) throw new ToolError(error.message)
    throw error
  }
}

export const columnsField: z.ZodArray<z.ZodObject<{ name: z.ZodString; type: z.ZodString }>> = z.array(
  z.object({ name: z.string(), type: z.string() }),
)

/** Our own lists are not looked through again, which takes as long as making them. */
export const rowsField: z.ZodArray<z.ZodUnknown> = z
  .array(z.unknown().meta({ type: 'array', items: {} }))
  .describe('The values of each row, in the order of the columns')
