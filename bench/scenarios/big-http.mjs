import { ofLimit } from '../lib/targets.mjs'

const row = (title, bytes) => ({ id: title, exchange: 'text', bytes, unit: 'calls/s', targets: [ofLimit(0.7)] })

export default {
  name: 'big-http',
  title: 'Large text through a tool, HTTP',
  driver: 'http-server',
  adapter: 'http-server',
  settings: { responseMode: 'json' },
  rows: [row('1 MB', 1e6), row('10 MB', 1e7)],
}
