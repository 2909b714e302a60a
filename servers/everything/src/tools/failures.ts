import { type ServerTool, ToolError, tool } from '@tenon/sdk/server'
import { z } from 'zod'

const divide: ServerTool = tool({
  name: 'divide',
  title: 'Divide',
  description: 'Divides two numbers; dividing by zero is an error that the model reads and can correct',
  input: z.object({ dividend: z.number(), divisor: z.number() }),
  output: z.object({ quotient: z.number() }),
  annotations: { readOnly: true, idempotent: true, openWorld: false },
  run: ({ dividend, divisor }) => {
    if (divisor === 0) throw new ToolError('The divisor is 0: give another one')
    return { quotient: dividend / divisor }
  },
})

const crash: ServerTool = tool({
  name: 'crash',
  title: 'Crash',
  description: 'Fails with an unexpected exception; the client sees an id, and only the operator sees the message',
  annotations: { readOnly: true, openWorld: false },
  run: () => {
    throw new Error('This sentence is for the operator')
  },
})

/** Tools that show the two ways to fail. */
export const failureTools: readonly ServerTool[] = [divide, crash]
