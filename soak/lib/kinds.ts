import type { ConnectOptions, Target } from '@tenon/sdk/client'
import { socketChannel } from '@tenon/sdk/socket'
import { webSocketChannel } from '@tenon/sdk/websocket'
import { counted } from './counted.ts'
import { program } from './process.ts'

/** A way to connect to a server. */
export interface Kind {
  name: string
  /** The server processes for it, one of them for each connection; none if it starts its own. */
  servers: readonly string[]
  target(port: number, complain: (text: string) => void): Target
  options: ConnectOptions
  /** Whether a tool may kill the process that runs it: another one takes over. */
  mortal: boolean
}

const http = { servers: ['http', 'http-victim'], mortal: false }
const url =
  (path: string) =>
  (port: number): string =>
    `http://127.0.0.1:${port}${path}`

export const kinds: readonly Kind[] = [
  {
    name: 'stdio',
    servers: [],
    target: () => ({
      command: process.execPath,
      args: [program, 'stdio'],
      restart: { maxAttempts: 1_000, backoffMs: 10, stableMs: 1 },
    }),
    options: {},
    mortal: true,
  },
  { name: 'http-session', ...http, target: url('/mcp'), options: { revisions: ['2025-11-25'] } },
  { name: 'http-2026', ...http, target: url('/mcp'), options: { revisions: ['2026-07-28'] } },
  { name: 'http-sse', ...http, target: url('/sse'), options: { revisions: ['2024-11-05'] } },
  {
    name: 'workers',
    servers: ['workers'],
    target: url('/mcp'),
    options: { revisions: ['2026-07-28'] },
    mortal: true,
  },
  {
    name: 'websocket',
    servers: ['websocket'],
    target: (port, complain) => async () =>
      counted(await webSocketChannel(new URL(`ws://127.0.0.1:${port}/mcp`)), complain),
    options: {},
    mortal: false,
  },
  {
    name: 'socket',
    servers: ['socket'],
    target: (port, complain) => async () => counted(await socketChannel({ port }), complain),
    options: {},
    mortal: false,
  },
]
