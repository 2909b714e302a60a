import { atLeast } from '../lib/targets.mjs'

const row = (id, settings, by) => ({
  ...{ id: by === 'cpu' ? `${id}, by CPU` : id, settings, by, connections: 32, handler: 'async' },
  unit: '× the same without',
  targets: by === 'cpu' ? [] : [atLeast(0.6)],
})

const rows = (id, settings) => [row(id, settings), row(id, settings, 'cpu')]

export default {
  name: 'http-guarded',
  title: 'HTTP server, JSON answer, 2026-07-28, 32 connections',
  driver: 'compared',
  adapter: 'http-guarded',
  settings: { responseMode: 'json' },
  slow: true,
  rows: [
    ...rows('with a verified JWT', { protected: true }),
    ...rows('with a rate limit', { rateLimited: true }),
    ...rows('with OpenTelemetry', { telemetry: true }),
    ...rows('with all three', { protected: true, rateLimited: true, telemetry: true }),
  ],
}
