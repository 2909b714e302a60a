import { atMost } from '../lib/targets.mjs'

const row = (transport) => ({
  id: `CPU of host.callTool, ${transport}`,
  transport,
  unit: '× client.callTool',
  lower: true,
  targets: [atMost(1.15)],
})

export default {
  name: 'host',
  title: 'Host',
  driver: 'host',
  adapter: 'host',
  rows: [row('in memory'), row('over stdio')],
}
