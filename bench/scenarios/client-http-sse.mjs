import { ofLimit } from '../lib/targets.mjs'

const row = (inFlight) => ({ id: `${inFlight} in flight`, inFlight, unit: 'calls/s', targets: [ofLimit(0.75)] })

export default {
  name: 'client-http-sse',
  title: 'Client over HTTP, SSE answers',
  driver: 'client',
  adapter: 'client-http',
  settings: { server: 'http-server', responseMode: 'sse' },
  rows: [row(1), row(32)],
}
