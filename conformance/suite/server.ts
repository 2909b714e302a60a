import { redis } from '@tenon/redis'
import { type ResponseMode, serveHttp } from '@tenon/sdk/node'
import { createServer, type Server } from '@tenon/sdk/server'
import { askingTools } from './server/asking-tools.ts'
import { contentTools } from './server/content-tools.ts'
import { inputRequiredPrompts, inputRequiredTools } from './server/input-required.ts'
import { prompts } from './server/prompts.ts'
import { resources } from './server/resources.ts'
import { schemaTools } from './server/schema-tools.ts'
import { skills } from './server/skills.ts'
import { streamingTools } from './server/streaming-tools.ts'
import { taskTools } from './server/task-tools.ts'
import { triggerTools } from './server/trigger-tools.ts'

const { PORT = '3000', RESPONSE_MODE = 'auto', REDIS_URL } = process.env

/**
 * The server that the official suite tests, with the features of its scenarios, at `PORT`. With `REDIS_URL` it is one of
 * several processes that serve the same clients.
 */
const server: Server = createServer({
  name: 'tenon-conformance-server',
  version: '1.0.0',
  tools: [
    ...contentTools,
    ...streamingTools,
    ...askingTools,
    ...inputRequiredTools,
    ...schemaTools,
    ...taskTools,
    ...triggerTools(() => server),
  ],
  resources: [...resources, ...skills.resources],
  extensions: [skills.extension],
  prompts: [...prompts, ...inputRequiredPrompts],
  stateKeys: ['one key for all processes of the conformance server'],
  onError: (error, { id, during }) => console.error(`${during} (${id}):`, error),
})

const shared = REDIS_URL === undefined ? undefined : redis(REDIS_URL)
const http = await serveHttp(server, {
  port: Number(PORT),
  responseMode: RESPONSE_MODE as ResponseMode,
  // Shorter than test_reconnection takes.
  pollAfterMs: 500,
  ...shared,
})
console.log(`listening on ${http.url}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await http.close()
    await shared?.close()
  })
}
