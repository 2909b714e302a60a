import { atMostTimes } from '../lib/targets.mjs'

export default {
  name: 'cold-start-zod',
  title: 'Cold start over stdio, with a Zod tool',
  driver: 'cold-start',
  adapter: 'cold-start-zod',
  single: true,
  slow: true,
  rows: [{ id: 'spawn to first answer', unit: 'ms', lower: true, targets: [atMostTimes(1.1)] }],
}
