import { ofLimit } from '../lib/targets.mjs'

export default {
  name: 'in-memory',
  title: 'In memory, client to server',
  driver: 'client',
  adapter: 'in-memory',
  rows: [{ id: '1 in flight', inFlight: 1, unit: 'calls/s', targets: [ofLimit(0.6)] }],
}
