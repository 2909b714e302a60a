import { atMost } from '../lib/targets.mjs'

export default {
  name: 'install-size',
  title: 'Install',
  driver: 'install-size',
  adapter: 'install-size',
  single: true,
  fixed: true,
  slow: true,
  rows: [
    { id: 'packages', figure: 'packages', unit: 'packages', lower: true, targets: [atMost(12)] },
    { id: 'size', figure: 'megabytes', unit: 'MB', lower: true, targets: [atMost(4)] },
  ],
}
