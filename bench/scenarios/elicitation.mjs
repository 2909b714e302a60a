import { atMost } from '../lib/targets.mjs'

const row = (id, tool, targets) => ({ id: `CPU over two plain calls, ${id}`, tool, unit: 'µs', lower: true, targets })

export default {
  name: 'elicitation',
  title: 'Elicitation by replay, 2026-07-28',
  driver: 'elicitation',
  adapter: 'elicitation',
  rows: [row('schema made once', 'book', [atMost(90)]), row('schema made in the handler', 'book-anew', [])],
}
