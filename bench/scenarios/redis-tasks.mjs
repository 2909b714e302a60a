import { ofLimit } from '../lib/targets.mjs'

export default {
  name: 'redis-tasks',
  title: 'Tasks on Redis, against plain BullMQ',
  driver: 'redis-tasks',
  adapter: 'redis-tasks',
  slow: true,
  rows: [{ id: 'made and run', unit: 'tasks/s', targets: [ofLimit(0.7)] }],
}
