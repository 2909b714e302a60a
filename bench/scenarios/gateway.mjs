import { atLeast, atMost } from '../lib/targets.mjs'

const compared = { unit: '× the upstream alone', connections: 32, handler: 'async' }
const guarded = { front: 'gateway', guarded: true }
const listed = { tools: 1000 }

export default {
  name: 'gateway',
  title: 'Gateway, 2026-07-28',
  driver: 'compared',
  adapter: 'gateway',
  slow: true,
  rows: [
    { id: 'call with a key, three rules and audit', settings: guarded, targets: [atLeast(0.5)], ...compared },
    { id: 'call with a key, three rules and audit, by CPU', settings: guarded, by: 'cpu', targets: [], ...compared },
    {
      id: 'call with a key, three rules and audit, p99',
      settings: guarded,
      by: 'p99',
      lower: true,
      targets: [atMost(3)],
      ...compared,
    },
    { id: 'call without rules', settings: { front: 'gateway' }, targets: [], ...compared },
    { id: 'call through a bare reverse proxy', settings: { front: 'proxy' }, targets: [], ...compared },
    {
      id: 'call through a bare reverse proxy, by CPU',
      settings: { front: 'proxy' },
      by: 'cpu',
      targets: [],
      ...compared,
    },
    {
      id: 'kept list of 1,000 tools from 20 upstreams',
      unit: '× one server',
      base: listed,
      settings: { ...guarded, ...listed, upstreams: 20 },
      exchange: 'list',
      ...listed,
      connections: 8,
      targets: [atLeast(0.8)],
    },
  ],
}
