import { atLeast } from '../lib/targets.mjs'

const row = (id, settings) => ({ id, ...settings, unit: '× one process', targets: [atLeast(1.6)] })

export default {
  name: 'workers',
  title: 'workers: 2',
  driver: 'workers',
  adapter: 'workers',
  rows: [row('echo', { exchange: 'echo' }), row('a tool that works for 0.3 ms', { exchange: 'work', rounds: 300 })],
}
