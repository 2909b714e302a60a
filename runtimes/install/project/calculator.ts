// The first server of the README.
import { createServer, tool } from '@tenon/sdk/server'
import { z } from 'zod'

const add = tool({
  name: 'add',
  description: 'Adds two numbers',
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  run: ({ a, b }) => ({ sum: a + b }),
})

export const server = createServer({ name: 'calculator', version: '1.0.0', tools: [add] })
