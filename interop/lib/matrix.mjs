// The pairs, and the tasks for each of them.

/** A transport and an era: sessions with a handshake, or stateless requests. */
export const transports = ['stdio', 'stdio-2026', 'http', 'http-2026', 'sse', 'websocket']

export const eraOf = (transport) => (transport.endsWith('-2026') ? '2026' : 'session')
export const kindOf = (transport) => transport.replace('-2026', '')

/** All pairs with `subject` on one side, for every transport that both have. */
export function cellsOf(subject, peers, { transports, sides }) {
  const pairs = peers.flatMap((peer) => [
    ...(sides.includes('client') && peer.server ? [{ client: subject, server: peer }] : []),
    ...(sides.includes('server') && peer.client && peer !== subject ? [{ client: peer, server: subject }] : []),
  ])
  return pairs.flatMap(({ client, server }) =>
    transports
      .filter((one) => client.client.transports.includes(one) && server.server.transports.includes(one))
      .map((transport) => ({ client, server, transport, name: `${client.name} → ${server.name}, ${transport}` })),
  )
}

/** The reason why a task is not tried in a cell, or undefined. */
export function notOffered({ client, server, transport }, task) {
  if (task.transports && !task.transports.includes(transport)) return 'transport'
  if (!(task.needs in workOf(server))) return 'server'
  if (server.server.lacks?.(task.name, transport)) return 'server'
  if (client.client.lacks?.(task.name, transport)) return 'client'
  return undefined
}

/** The features of a server; some may depend on its folder. */
export const workOf = ({ server: { work } }, scratch = {}) => (typeof work === 'function' ? work(scratch) : work)
