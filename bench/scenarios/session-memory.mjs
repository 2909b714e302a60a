import { atMost } from '../lib/targets.mjs'

const row = (figure, id, unit, max) => ({ id, figure, unit, lower: true, targets: [atMost(max)] })

export default {
  name: 'session-memory',
  title: 'Sessions',
  driver: 'session-memory',
  adapter: 'sessions',
  settings: { responseMode: 'json' },
  single: true,
  fixed: true,
  rows: [
    row('heap', 'heap per idle session', 'KiB', 1),
    row('rss', 'RSS per idle session', 'KiB', 4),
    row('gone', 'heap after all are gone, more than before', '%', 10),
    row('growth', 'heap after many calls, more than before', '%', 10),
  ],
}
