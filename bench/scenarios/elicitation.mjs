import { atMost } from '../lib/targets.mjs'

export default {
  name: 'elicitation',
  title: 'Elicitation by replay, 2026-07-28',
  driver: 'elicitation',
  adapter: 'elicitation',
  rows: [{ id: 'CPU over two plain calls', unit: 'µs', lower: true, targets: [atMost(120)] }],
}
