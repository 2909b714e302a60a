import { ofLimit } from '../lib/targets.mjs'

export default {
  name: 'fetch-bun',
  title: 'fetchHandler on Bun',
  driver: 'fetch-server',
  adapter: 'fetch-handler',
  settings: { runtime: 'bun' },
  rows: [{ id: '2026-07-28, 32 connections', unit: 'calls/s', targets: [ofLimit(0.75)] }],
}
