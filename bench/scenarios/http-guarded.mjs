import { atLeast } from '../lib/targets.mjs'

const row = (id, settings) => ({
  ...{ id, settings, connections: 32, handler: 'async' },
  unit: '× the same without',
  targets: [atLeast(0.6)],
})

export default {
  name: 'http-guarded',
  title: 'HTTP server, JSON answer, 2026-07-28, 32 connections',
  driver: 'compared',
  adapter: 'http-guarded',
  settings: { responseMode: 'json' },
  slow: true,
  rows: [
    row('with a verified JWT', { protected: true }),
    row('with a rate limit', { rateLimited: true }),
    row('with OpenTelemetry', { telemetry: true }),
    row('with all three', { protected: true, rateLimited: true, telemetry: true }),
  ],
}
