import { aheadOf, ofLimit, ofSdk } from '../lib/targets.mjs'

const row = (era, title, connections) => ({
  id: `${title}, ${connections} connections`,
  era,
  connections,
  unit: 'calls/s',
  targets: [ofLimit(0.8), ofSdk(12), aheadOf('mcp-lite')],
})

export default {
  name: 'http-json',
  title: 'HTTP server, JSON answer',
  driver: 'http-server',
  adapter: 'http-server',
  settings: { responseMode: 'json' },
  rows: [
    row('modern', '2026-07-28', 32),
    row('modern', '2026-07-28', 128),
    row('session', 'session', 32),
    row('session', 'session', 128),
  ],
}
