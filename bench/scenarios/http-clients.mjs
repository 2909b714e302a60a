const row = (id, settings) => ({ id, connections: 32, handler: 'async', ...settings, unit: 'calls/s', targets: [] })

export default {
  name: 'http-clients',
  title: 'HTTP server, JSON answer, 2026-07-28',
  driver: 'http-server',
  adapter: 'http-server',
  settings: { responseMode: 'json' },
  slow: true,
  rows: [
    row('32 connections of 1 process', { client: 'sockets' }),
    row('32 connections of 8 processes', { client: 'sockets', processes: 8 }),
    row('32 processes with 1 connection', { client: 'sockets', processes: 32 }),
    row('32 connections of undici (fetch)', { client: 'fetch' }),
    row('32 connections of node:http', { client: 'node-http' }),
    row('32 connections of httpx (Python)', { client: 'httpx' }),
    row('1 connection, 32 pipelined', { connections: 1, pipelined: 32 }),
    row('32 connections, 4 pipelined', { pipelined: 4 }),
  ],
}
