import { ofLimit } from '../lib/targets.mjs'

const row = (inFlight) => ({ id: `${inFlight} in flight`, inFlight, unit: 'calls/s', targets: [ofLimit(0.7)] })

export default {
  name: 'client-websocket',
  title: 'WebSocket client',
  driver: 'client',
  adapter: 'client-websocket',
  settings: { server: 'websocket-server', scheme: 'ws' },
  rows: [row(1), row(32)],
}
