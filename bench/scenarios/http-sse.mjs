import { httpRows } from '../lib/http-rows.mjs'
import { cpuOf, figureAtMost, ofLimit } from '../lib/targets.mjs'

function targetsOf({ handler, connections }) {
  if (handler === 'timer') return []
  const native = connections === 32 ? [cpuOf('rmcp', 1), cpuOf('go-sdk', 0.1)] : []
  const memory = connections === 1 ? [] : [figureAtMost('rss', 1.25)]
  return [ofLimit(connections === 1 ? 0.8 : 0.85), ...memory, ...native]
}

export default {
  name: 'http-sse',
  title: 'HTTP server, SSE answer',
  driver: 'http-server',
  adapter: 'http-server',
  settings: { responseMode: 'sse' },
  rows: httpRows({ quick: [32], targetsOf }),
}
