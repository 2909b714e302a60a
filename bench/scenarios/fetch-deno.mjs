import { ofLimit } from '../lib/targets.mjs'

export default {
  name: 'fetch-deno',
  title: 'fetchHandler on Deno',
  driver: 'fetch-server',
  adapter: 'fetch-handler',
  settings: { runtime: 'deno' },
  rows: [{ id: '2026-07-28, 32 connections', unit: 'calls/s', targets: [ofLimit(0.65)] }],
}
