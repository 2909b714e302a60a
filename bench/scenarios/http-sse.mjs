import { ofLimit } from '../lib/targets.mjs'

const row = (era, title) => ({
  id: `${title}, 32 connections`,
  era,
  connections: 32,
  unit: 'calls/s',
  targets: [ofLimit(0.75)],
})

export default {
  name: 'http-sse',
  title: 'HTTP server, SSE answer',
  driver: 'http-server',
  adapter: 'http-server',
  settings: { responseMode: 'sse' },
  rows: [row('modern', '2026-07-28'), row('session', 'session')],
}
