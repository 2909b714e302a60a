import { atMostAbove } from '../lib/targets.mjs'

export default {
  name: 'import-time',
  title: 'Import',
  driver: 'fresh-process',
  adapter: 'import-server',
  single: true,
  rows: [{ id: 'server subpath', task: 'import', unit: 'ms', lower: true, targets: [atMostAbove(8)] }],
}
