import { cpuOf, ofLimit } from '../lib/targets.mjs'

const row = (inFlight, min, { era, revision, title, handler = 'sync' }) => ({
  id: `${title}${inFlight.toLocaleString('en')} in flight${handler === 'async' ? ', async handler' : ''}`,
  ...{ inFlight, era, revision, handler },
  unit: 'calls/s',
  full: era !== 'session' || handler !== 'sync',
  targets: [ofLimit(min), cpuOf('rmcp', 1), cpuOf('go-sdk', 1)],
})

const rows = (settings) => [row(1, 0.9, settings), row(32, 0.8, settings), row(1024, 0.7, settings)]

const session = { era: 'session', title: '' }
const modern = { era: 'modern', title: '2026-07-28, ' }

const older = ['2025-06-18', '2025-03-26', '2024-11-05'].map((revision) => ({
  ...{ era: 'session', revision, title: `${revision}, `, handler: 'async' },
}))

export default {
  name: 'stdio',
  title: 'stdio server',
  driver: 'stdio-server',
  adapter: 'stdio-server',
  rows: [
    ...[session, modern, { ...session, handler: 'async' }, { ...modern, handler: 'async' }].flatMap(rows),
    ...older.map((settings) => row(1024, 0.7, settings)),
  ],
}
