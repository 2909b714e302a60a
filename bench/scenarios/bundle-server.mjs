import { atMost } from '../lib/targets.mjs'

export default {
  name: 'bundle-server',
  title: 'Bundle, minified and compressed',
  driver: 'bundle-size',
  adapter: 'bundle-server',
  settings: { loads: '^$' },
  single: true,
  fixed: true,
  rows: [
    { id: 'server with stdio', figure: 'loaded', unit: 'kB', lower: true, targets: [atMost(15)] },
    { id: 'server with stdio, and all that it could load', figure: 'everything', unit: 'kB', lower: true, targets: [] },
  ],
}
