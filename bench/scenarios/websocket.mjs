import { ofLimit } from '../lib/targets.mjs'

const row = (inFlight, handler = 'sync') => ({
  id: `${inFlight} in flight${handler === 'async' ? ', async handler' : ''}`,
  ...{ inFlight, handler },
  unit: 'calls/s',
  full: handler !== 'sync',
  targets: [ofLimit(0.7)],
})

export default {
  name: 'websocket',
  title: 'WebSocket server',
  driver: 'websocket-server',
  adapter: 'websocket-server',
  rows: [row(1), row(32), row(1, 'async'), row(32, 'async')],
}
