const row = (exchange, title, kilobytes) => ({
  id: `${title}, ${kilobytes} KB`,
  exchange,
  bytes: kilobytes * 1000,
  connections: 32,
  unit: 'calls/s',
  targets: [],
})

export default {
  name: 'http-sizes',
  title: 'HTTP server, 2026-07-28, 32 connections',
  driver: 'http-server',
  adapter: 'http-server',
  settings: { responseMode: 'json' },
  slow: true,
  rows: [1, 10, 100].flatMap((size) => [
    row('arguments', 'arguments with a schema', size),
    row('structured', 'structured result with a schema', size),
  ]),
}
