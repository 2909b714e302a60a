import { httpRows } from '../lib/http-rows.mjs'
import { ofLimit } from '../lib/targets.mjs'

const targetsOf = ({ handler }) => (handler === 'timer' ? [] : [ofLimit(0.65)])

export default {
  name: 'fetch-deno',
  title: 'fetchHandler on Deno',
  driver: 'fetch-server',
  adapter: 'fetch-handler',
  settings: { runtime: 'deno' },
  rows: httpRows({ eras: ['modern'], quick: [32], targetsOf }),
}
