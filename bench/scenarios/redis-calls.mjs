import { atLeast } from '../lib/targets.mjs'

const row = (id, era, min) => ({ id, era, connections: 32, unit: '× in memory', targets: [atLeast(min)] })

export default {
  name: 'redis-calls',
  title: 'HTTP server with Redis, against memory',
  driver: 'redis-calls',
  adapter: 'redis',
  slow: true,
  rows: [row('session, 32 connections', 'session', 0.6), row('2026-07-28, 32 connections', 'modern', 0.9)],
}
