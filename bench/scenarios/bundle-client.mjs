import { atMost } from '../lib/targets.mjs'

export default {
  name: 'bundle-client',
  title: 'Bundle, minified and compressed',
  driver: 'bundle-size',
  adapter: 'bundle-client',
  settings: { loads: 'http-client' },
  single: true,
  fixed: true,
  rows: [{ id: 'client with HTTP', unit: 'kB', lower: true, targets: [atMost(20)] }],
}
