import { ownScript } from '../../lib/servers.mjs'
import { work } from '../work.mjs'

// It keeps no events, so nothing can be resumed; it has no tasks, and leaves tokens to others.
const absent = ['resume', 'lostSession', 'task', 'authorization']
const offered = Object.fromEntries(Object.entries(work).filter(([part]) => !absent.includes(part)))

/** A server library of its own, without the official SDK. */
export const tmcp = {
  name: 'tmcp',
  title: 'tmcp',
  packages: ['tmcp', '@tmcp/transport-http', '@tmcp/transport-stdio', '@tmcp/transport-sse'],
  server: {
    start: ownScript(new URL('./server.mjs', import.meta.url)),
    transports: ['stdio', 'stdio-2026', 'http', 'http-2026', 'sse'],
    work: offered,
    // Only over HTTP a tool notices its cancellation, and without a session there are no roots.
    lacks: (task, transport) =>
      (task === 'cancel' && !transport.startsWith('http')) || (task === 'roots' && transport.endsWith('-2026')),
  },
}
