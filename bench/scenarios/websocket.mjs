import { ofLimit } from '../lib/targets.mjs'

const row = (inFlight) => ({ id: `${inFlight} in flight`, inFlight, unit: 'calls/s', targets: [ofLimit(0.7)] })

export default {
  name: 'websocket',
  title: 'WebSocket server',
  driver: 'websocket-server',
  adapter: 'websocket-server',
  rows: [row(1), row(32)],
}
