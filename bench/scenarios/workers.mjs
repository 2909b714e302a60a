import { atLeast } from '../lib/targets.mjs'

const row = (id, settings) => ({
  ...{ id, base: { workers: 1 }, settings: { workers: 2 }, connections: 32, ...settings },
  unit: '× one process',
  targets: [atLeast(1.6)],
})

export default {
  name: 'workers',
  title: 'workers: 2',
  driver: 'compared',
  adapter: 'workers',
  rows: [row('echo', { exchange: 'echo' }), row('a tool that works for 0.3 ms', { exchange: 'work', rounds: 300 })],
}
