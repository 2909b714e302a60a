import { atMostTimes } from '../lib/targets.mjs'

export default {
  name: 'cold-start',
  title: 'Cold start over stdio',
  driver: 'cold-start',
  adapter: 'cold-start',
  single: true,
  rows: [{ id: 'spawn to first answer', unit: 'ms', lower: true, targets: [atMostTimes(1.15)] }],
}
