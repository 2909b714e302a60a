// The rows of a server over HTTP: eras, numbers of connections, and ways to write the handler of a tool.

const titles = { modern: '2026-07-28', session: 'session' }
const suffixes = { sync: '', async: ', async handler', timer: ', handler that waits 1 ms' }

/**
 * @param {object} options
 * @param {('modern' | 'session')[]} options.eras
 * @param {number[]} options.quick the connections of the rows that --quick has, with synchronous handlers
 * @param {(row: { era: string, handler: string, connections: number }) => import('./targets.mjs').Target[]} options.targetsOf
 */
export const httpRows = ({ eras = ['modern', 'session'], quick, targetsOf }) =>
  // The memory of a process grows with its connections, so that few of them come first.
  [1, 32, 128].flatMap((connections) =>
    eras.flatMap((era) =>
      Object.entries(suffixes).map(([handler, suffix]) => ({
        id: `${titles[era]}, ${connections} connection${connections === 1 ? '' : 's'}${suffix}`,
        ...{ era, handler, connections },
        unit: 'calls/s',
        full: handler !== 'sync' || !quick.includes(connections),
        targets: targetsOf({ era, handler, connections }),
      })),
    ),
  )
