import { fileTaskStore } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'
import { z } from 'zod'

const publish = tool({
  name: 'publish',
  description: 'Encodes a video and publishes it',
  input: z.object({ file: z.string() }),
  task: { pollIntervalMs: 50 },
  async run({ file }, ctx) {
    ctx.task.status('Encoding')
    // The result is stored, so the step is not repeated after a restart.
    const encoded = await ctx.once('encode', () => `${file}.webm, encoded by process ${process.pid}`)
    const title = await ctx.elicit('Under which title?', z.object({ title: z.string() }))
    if (title.action !== 'accept') return ctx.error('Nothing was published')
    return `Published “${title.content.title}” (${encoded})`
  },
})

const [folder = 'tasks'] = process.argv.slice(2)
await serveStdio(
  createServer({ name: 'videos', version: '1.0.0', tools: [publish], tasks: { store: fileTaskStore(folder) } }),
)
