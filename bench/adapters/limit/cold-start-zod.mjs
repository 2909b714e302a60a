// Bare Node and Zod: the schema of the tool, as JSON Schema too.
import { z } from 'zod'

export const inputSchema = z.toJSONSchema(z.object({ text: z.string() }))
await import('./stdio-server.mjs')
