import { ownScript } from '../../lib/servers.mjs'
import { work } from '../work.mjs'

// Missing: cancellation of tools, changes and updates, logs, roots, completion, event ids in answers, tasks, tokens.
const absent = [
  'lostSession',
  'task',
  'authorization',
  'cancel',
  'completion',
  'roots',
  'subscribe',
  'listChanged',
  'logging',
  'resume',
]
const offered = Object.fromEntries(Object.entries(work).filter(([part]) => !absent.includes(part)))

/** A small server library without dependencies, for Streamable HTTP. */
export const mcpLite = {
  name: 'mcp-lite',
  title: 'mcp-lite',
  packages: ['mcp-lite'],
  server: {
    start: ownScript(new URL('./server.mjs', import.meta.url)),
    transports: ['http'],
    work: { ...offered, tools: ['echo', 'add', 'picture', 'fail', 'count'] },
  },
}
