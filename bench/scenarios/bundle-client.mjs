import { atMost } from '../lib/targets.mjs'

export default {
  name: 'bundle-client',
  title: 'Bundle, minified and compressed',
  driver: 'bundle-size',
  adapter: 'bundle-client',
  settings: { loads: 'http-client/open-http' },
  single: true,
  fixed: true,
  rows: [
    { id: 'client with HTTP', figure: 'loaded', unit: 'kB', lower: true, targets: [atMost(25)] },
    { id: 'client with HTTP, and all that it could load', figure: 'everything', unit: 'kB', lower: true, targets: [] },
  ],
}
