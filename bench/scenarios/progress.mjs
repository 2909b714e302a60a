import { ofLimit } from '../lib/targets.mjs'

export default {
  name: 'progress',
  title: '10,000 progress notifications in one call',
  driver: 'http-server',
  adapter: 'http-server',
  settings: { responseMode: 'auto' },
  rows: [
    {
      id: 'HTTP, 2026-07-28',
      exchange: 'progress',
      operations: 10_000,
      unit: 'notifications/s',
      targets: [ofLimit(0.6)],
    },
  ],
}
