import { type ServerTool, ToolError, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { convert, unitsOf } from '../units.ts'

const pure = { readOnly: true, idempotent: true, openWorld: false }

const add: ServerTool = tool({
  name: 'add',
  title: 'Add',
  description: 'Adds two numbers',
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  annotations: pure,
  run: ({ a, b }) => ({ sum: a + b }),
})

const convertUnits: ServerTool = tool({
  name: 'convert_units',
  title: 'Convert units',
  description: `Converts a length, mass or temperature. Units: ${unitsOf().join(', ')}`,
  input: z.object({ value: z.number(), from: z.string(), to: z.string() }),
  output: z.object({ value: z.number(), unit: z.string() }),
  annotations: pure,
  run: ({ value, from, to }) => {
    const converted = convert(value, from, to)
    if (converted === undefined) throw new ToolError(`${from} cannot be converted to ${to}`)
    return { value: converted, unit: to }
  },
})

/** Tools with an output schema: the data is checked, and goes out as structured content and as text. */
export const numberTools: readonly ServerTool[] = [add, convertUnits]
