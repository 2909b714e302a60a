import { ownScript } from '../../lib/servers.mjs'
import { work } from '../work.mjs'

/** Version 2 has the types of tasks, but no code that creates or polls them. */
const lacksTasks = (task) => task === 'task'

/** The current official SDK: client, server and node are packages of their own. */
export const sdkV2 = {
  name: 'sdk-v2.4',
  title: 'official SDK',
  packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/client', '@modelcontextprotocol/node'],
  client: {
    script: new URL('./client.mjs', import.meta.url).href,
    transports: ['stdio', 'stdio-2026', 'http', 'http-2026', 'sse'],
    lacks: lacksTasks,
  },
  server: {
    start: ownScript(new URL('./server.mjs', import.meta.url)),
    transports: ['stdio', 'stdio-2026', 'http', 'http-2026'],
    lacks: lacksTasks,
    work,
  },
}
