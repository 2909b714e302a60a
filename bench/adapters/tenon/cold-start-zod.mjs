import { createServer, tool } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'
import { z } from 'zod'

const echo = tool({ name: 'echo', input: z.object({ text: z.string() }), run: async ({ text }) => text })

await serveStdio(createServer({ name: 'bench', version: '1.0.0', tools: [echo] }))
