import { cpuOf, ofLimit } from '../lib/targets.mjs'

const row = (inFlight) => ({
  id: `${inFlight.toLocaleString('en')} in flight`,
  inFlight,
  unit: 'calls/s',
  targets: [ofLimit(0.7), cpuOf('rmcp', 1), cpuOf('go-sdk', 1)],
})

export default {
  name: 'stdio-fifo',
  title: 'stdio server on FIFOs',
  driver: 'stdio-server',
  adapter: 'stdio-fifo',
  settings: { fifo: true },
  slow: true,
  rows: [row(1), row(32), row(1024)],
}
