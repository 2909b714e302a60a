import { createServer, image, resourceLink, ToolError, tool } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'
import { z } from 'zod'

/** Schemas for both directions: checked at run time, listed as JSON Schema, and the types of `run`. */
const convert = tool({
  name: 'convert',
  description: 'Converts a temperature',
  input: z.object({ value: z.number(), to: z.enum(['C', 'F']) }),
  output: z.object({ value: z.number(), unit: z.string() }),
  annotations: { readOnly: true },
  run: ({ value, to }) => ({ value: to === 'F' ? value * 1.8 + 32 : (value - 32) / 1.8, unit: to }),
})

/** Content of several kinds. A string is a text block. */
const card = tool({
  name: 'card',
  description: 'A postcard',
  input: z.object({ to: z.string() }),
  run: ({ to }) => [
    `Dear ${to}, wish you were here`,
    image(pixel, 'image/png'),
    resourceLink({ uri: 'https://example.com/beach', name: 'the beach' }),
  ],
})

/** A failure that the model should read. Any other exception is masked. */
const divide = tool({
  name: 'divide',
  description: 'Divides two numbers',
  input: z.object({ dividend: z.number(), divisor: z.number() }),
  annotations: { readOnly: true },
  run({ dividend, divisor }) {
    if (divisor === 0) throw new ToolError('The divisor is 0: give another one')
    return `${dividend / divisor}`
  },
})

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

await serveStdio(createServer({ name: 'tools', version: '1.0.0', tools: [convert, card, divide] }))
