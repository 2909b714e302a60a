// The rows of a server over HTTP: eras, numbers of connections, and ways to write the handler of a tool.

const eras = [
  ['modern', '2026-07-28'],
  ['session', 'session'],
]
const handlers = [
  ['sync', ''],
  ['async', ', async handler'],
  ['timer', ', handler that waits 1 ms'],
]

/**
 * @param {(row: { era: string, handler: string, connections: number }) => import('./targets.mjs').Target[]} targetsOf
 * @param {number[]} quick the connections of the rows that --quick has, with synchronous handlers
 */
export const httpRows = (targetsOf, quick) =>
  // The memory of a process grows with its connections, so that few of them come first.
  [1, 32, 128].flatMap((connections) =>
    eras.flatMap(([era, title]) =>
      handlers.map(([handler, suffix]) => ({
        id: `${title}, ${connections} connection${connections === 1 ? '' : 's'}${suffix}`,
        ...{ era, handler, connections },
        unit: 'calls/s',
        full: handler !== 'sync' || !quick.includes(connections),
        targets: targetsOf({ era, handler, connections }),
      })),
    ),
  )
