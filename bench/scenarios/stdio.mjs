import { ofLimit } from '../lib/targets.mjs'

const row = (inFlight, min) => ({
  id: `${inFlight.toLocaleString('en')} in flight`,
  inFlight,
  unit: 'calls/s',
  targets: [ofLimit(min)],
})

export default {
  name: 'stdio',
  title: 'stdio server',
  driver: 'stdio-server',
  adapter: 'stdio-server',
  rows: [row(1, 0.8), row(32, 0.6), row(1024, 0.5)],
}
