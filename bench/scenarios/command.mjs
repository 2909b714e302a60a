import { fasterThan } from '../lib/targets.mjs'

export default {
  name: 'command',
  title: 'Command line',
  driver: 'command',
  adapter: 'command',
  single: true,
  rows: [
    {
      id: 'list the tools of a program',
      unit: 'ms',
      lower: true,
      targets: [fasterThan('mcporter'), fasterThan('inspector')],
    },
  ],
}
