import { ownScript } from '../../lib/servers.mjs'
import { work } from '../work.mjs'

/** A framework on version 1 of the official SDK; it serves HTTP through mcp-proxy. */
export const fastmcp = {
  name: 'fastmcp',
  title: 'fastmcp',
  packages: ['fastmcp'],
  server: {
    start: ownScript(new URL('./server.mjs', import.meta.url)),
    transports: ['stdio', 'http', 'sse'],
    // It requests roots after the handshake, at its own time. It has only parts of authorization, and no tasks.
    lacks: (task) => ['task', 'authorization', 'lost-session'].includes(task),
    work: { ...work, roots: { ...work.roots, eventually: true } },
  },
}
