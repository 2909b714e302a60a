import { atMost } from '../lib/targets.mjs'

const row = (figure, id, max) => ({ id, figure, unit: 'KiB', lower: true, targets: [atMost(max)] })

export default {
  name: 'redis-sessions',
  title: 'Sessions on Redis',
  driver: 'redis-sessions',
  adapter: 'redis',
  single: true,
  fixed: true,
  slow: true,
  rows: [
    row('redis', 'bytes in Redis per idle session', 2),
    row('heap', 'heap per session, in a process that does not serve it', 1),
  ],
}
