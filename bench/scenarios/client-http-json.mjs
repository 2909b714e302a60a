import { ofLimit } from '../lib/targets.mjs'

const row = (inFlight, min) => ({ id: `${inFlight} in flight`, inFlight, unit: 'calls/s', targets: [ofLimit(min)] })

export default {
  name: 'client-http-json',
  title: 'Client over HTTP, JSON answers',
  driver: 'client',
  adapter: 'client-http',
  settings: { server: 'http-server', responseMode: 'json' },
  rows: [row(1, 0.85), row(32, 0.75)],
}
