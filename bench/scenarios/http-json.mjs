import { httpRows } from '../lib/http-rows.mjs'
import { aheadOf, cpuOf, figureAtMost, ofLimit, ofNet, ofSdk } from '../lib/targets.mjs'

const shares = new Map([
  [1, 0.85],
  [32, 1],
  [128, 0.95],
])

function targetsOf({ era, handler, connections }) {
  if (handler === 'timer') return []
  const native = connections === 32 ? [ofNet(0.5), cpuOf('rmcp', 1), cpuOf('go-sdk', 0.1)] : []
  const peers =
    handler === 'sync' && connections > 1 ? [ofSdk(12), ...(era === 'session' ? [aheadOf('mcp-lite')] : [])] : []
  const latency =
    connections === 1 ? [figureAtMost('p50', 1.15), figureAtMost('p99', 1.5)] : [figureAtMost('rss', 1.25)]
  return [ofLimit(shares.get(connections)), ...latency, ...native, ...peers]
}

export default {
  name: 'http-json',
  title: 'HTTP server, JSON answer',
  driver: 'http-server',
  adapter: 'http-server',
  settings: { responseMode: 'json' },
  rows: httpRows({ quick: [32, 128], targetsOf }),
}
