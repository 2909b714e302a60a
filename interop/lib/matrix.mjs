// The pairs, and the tasks for each of them.
import { legsOf } from './bridged.mjs'

/** A transport and an era: sessions with a handshake, or stateless requests. `bridge` has Tenon's bridge in the middle. */
export const transports = ['stdio', 'stdio-2026', 'http', 'http-2026', 'sse', 'websocket', 'bridge', 'bridge-2026']

export const eraOf = (transport) => (transport.endsWith('-2026') ? '2026' : 'session')
export const kindOf = (transport) => transport.replace('-2026', '')

/** All pairs with `subject` on one side, for every transport that both have. */
export function cellsOf(subject, peers, { transports, sides }) {
  const pairs = peers.flatMap((peer) => [
    ...(sides.includes('client') && peer.server ? [{ client: subject, server: peer }] : []),
    ...(sides.includes('server') && peer.client && peer !== subject ? [{ client: peer, server: subject }] : []),
  ])
  return pairs.flatMap(({ client, server }) =>
    transports.flatMap((transport) => {
      const legs = legsFor(client.client, server.server, transport)
      const name = `${client.name} → ${server.name}, ${transport}`
      return legs === undefined ? [] : [{ client, server, transport, ...legs, name }]
    }),
  )
}

/** The transport that the client uses, and the one of the server: they differ with a bridge in the middle. */
function legsFor(client, server, transport) {
  if (kindOf(transport) === 'bridge') return legsOf(client, server, transport.slice('bridge'.length))
  const isShared = client.transports.includes(transport) && server.transports.includes(transport)
  return isShared ? { near: transport, far: transport } : undefined
}

/** The reason why a task is not tried in a cell, or undefined. */
export function notOffered({ client, server, transport, near, far }, task) {
  if (task.transports && !task.transports.includes(transport)) return 'transport'
  if (![task.needs].flat().every((part) => part in workOf(server))) return 'server'
  if (server.server.lacks?.(task.name, far)) return 'server'
  if (client.client.lacks?.(task.name, near)) return 'client'
  return undefined
}

/** The features of a server; some may depend on its folder. */
export const workOf = ({ server: { work } }, scratch = {}) => (typeof work === 'function' ? work(scratch) : work)
