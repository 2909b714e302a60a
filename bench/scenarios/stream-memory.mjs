import { atMostAbove } from '../lib/targets.mjs'

const row = (figure, id) => ({ id, figure, unit: 'KiB', lower: true, targets: [atMostAbove(12)] })

export default {
  name: 'stream-memory',
  title: 'Open SSE stream',
  driver: 'stream-memory',
  adapter: 'streams',
  settings: { responseMode: 'json' },
  single: true,
  fixed: true,
  rows: [row('heap', 'heap and buffers per stream'), row('rss', 'RSS per stream')],
}
