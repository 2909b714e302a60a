import { httpRows } from '../lib/http-rows.mjs'
import { ofLimit } from '../lib/targets.mjs'

const targetsOf = ({ handler }) => (handler === 'timer' ? [] : [ofLimit(0.75)])

export default {
  name: 'fetch-bun',
  title: 'fetchHandler on Bun',
  driver: 'fetch-server',
  adapter: 'fetch-handler',
  settings: { runtime: 'bun' },
  rows: httpRows({ eras: ['modern'], quick: [32], targetsOf }),
}
