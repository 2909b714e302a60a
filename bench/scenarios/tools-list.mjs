import { ofLimit } from '../lib/targets.mjs'

export default {
  name: 'tools-list',
  title: 'tools/list with 1,000 tools',
  driver: 'http-server',
  adapter: 'http-server',
  settings: { tools: 1000 },
  rows: [
    {
      id: 'HTTP, 2026-07-28, 8 connections',
      exchange: 'list',
      tools: 1000,
      connections: 8,
      unit: 'lists/s',
      targets: [ofLimit(0.8)],
    },
  ],
}
