import { atMostTimes } from '../lib/targets.mjs'

export default {
  name: 'define-tools',
  title: 'Definition of 1,000 Zod tools',
  driver: 'fresh-process',
  adapter: 'define-tools',
  single: true,
  rows: [{ id: 'fresh process', task: 'define', count: 1000, unit: 'ms', lower: true, targets: [atMostTimes(1.5)] }],
}
