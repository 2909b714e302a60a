import { ofLimit } from '../lib/targets.mjs'

const row = (inFlight, min) => ({ id: `${inFlight} in flight`, inFlight, unit: 'calls/s', targets: [ofLimit(min)] })

export default {
  name: 'client-stdio',
  title: 'Client over stdio',
  driver: 'client',
  adapter: 'client-stdio',
  settings: { server: 'stdio-server' },
  rows: [row(1, 0.75), row(32, 0.75)],
}
