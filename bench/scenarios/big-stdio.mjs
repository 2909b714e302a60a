import { ofLimit } from '../lib/targets.mjs'

const row = (title, bytes) => ({ id: title, exchange: 'text', bytes, unit: 'calls/s', targets: [ofLimit(0.7)] })

export default {
  name: 'big-stdio',
  title: 'Large text through a tool, stdio',
  driver: 'stdio-server',
  adapter: 'stdio-server',
  rows: [row('1 MB', 1e6), row('10 MB', 1e7)],
}
