import { fileURLToPath } from 'node:url'
import { program } from '../../lib/servers.mjs'
import { tenon } from '../../tenon/peer.mjs'
import { mainOf } from '../reference-servers/main-of.mjs'

const behind = fileURLToPath(new URL('../../tenon/server.mjs', import.meta.url))

// It passes on no requests of the server, no tasks and no log levels; its documentation explains why.
const absent = ['sampling', 'elicitation', 'roots', 'logging', 'task', 'lostSession', 'authorization']
const crosses = Object.fromEntries(Object.entries(tenon.server.work).filter(([part]) => !absent.includes(part)))

/** A proxy in the middle: Tenon's client, the proxy, and Tenon's everything server as a process behind it. */
const proxy = (name, upstream) => ({
  name,
  title: 'mcp-proxy',
  packages: ['mcp-proxy'],
  server: {
    start: program({
      args: (_scratch, port) => [
        mainOf('mcp-proxy'),
        ...['--port', `${port}`, '--host', '127.0.0.1', '--upstreamProtocol', upstream],
        ...['--', process.execPath, behind, 'stdio'],
      ],
      paths: { http: '/mcp', 'http-2026': '/mcp', sse: '/sse' },
    }),
    transports: ['http', 'http-2026', 'sse'],
    // A proxy in front of a proxy shows nothing more.
    unbridged: true,
    work: crosses,
  },
})

export const mcpProxy = proxy('mcp-proxy', 'legacy')
export const mcpProxy2026 = proxy('mcp-proxy-2026', 'modern')
