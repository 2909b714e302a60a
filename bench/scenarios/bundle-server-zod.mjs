import { atMost } from '../lib/targets.mjs'

const row = (id, figure, targets) => ({ id, figure, unit: 'kB', lower: true, targets })

export default {
  name: 'bundle-server-zod',
  title: 'Bundle, minified and compressed, without Zod itself',
  driver: 'bundle-size',
  adapter: 'bundle-server-zod',
  settings: { loads: '^$', external: ['zod'] },
  single: true,
  fixed: true,
  slow: true,
  rows: [
    row('server with stdio and a Zod tool', 'loaded', [atMost(25)]),
    row('server with stdio and a Zod tool, and all that it could load', 'everything', []),
  ],
}
