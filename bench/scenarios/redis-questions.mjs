import { atMost } from '../lib/targets.mjs'

export default {
  name: 'redis-questions',
  title: 'Elicitation in a session, with Redis',
  driver: 'redis-questions',
  adapter: 'redis',
  slow: true,
  rows: [
    {
      id: 'answered through another process, more than in one process without Redis',
      unit: 'ms',
      lower: true,
      targets: [atMost(3)],
    },
  ],
}
