import { reasonToSkip } from './scope.mjs'

/** The scenarios of the suite, from its own list: name, side, and revisions. */
export function parseList(text) {
  let side
  return text.split('\n').flatMap((line) => {
    side = /^(Server|Client|Authorization server) scenarios/.exec(line)?.[1].toLowerCase() ?? side
    const [, name, windows] = /^ {2}- (\S+) \[(.*)\]$/.exec(line) ?? []
    return name === undefined ? [] : [{ side, name, revisions: windows.split(',') }]
  })
}

/** An extension belongs to no revision; the newest is used. */
const revisionsOf = ({ revisions }) => (revisions.includes('extension') ? [undefined] : revisions)

/**
 * The runs: each side in each revision, servers also with every answer as an event stream. `only` picks one scenario,
 * even one that is out of scope.
 */
export function planRuns(scenarios, only) {
  const chosen = scenarios.filter(({ name }) => (only === undefined ? !reasonToSkip(name) : name === only))
  const runs = new Map()
  for (const scenario of chosen) {
    for (const revision of revisionsOf(scenario)) {
      for (const mode of scenario.side === 'server' ? ['auto', 'sse'] : ['']) {
        const key = [scenario.side, revision, mode].join(' ')
        if (!runs.has(key)) runs.set(key, { side: scenario.side, revision, mode, scenarios: [] })
        runs.get(key).scenarios.push(scenario.name)
      }
    }
  }
  return [...runs.values()].sort(byRevision)
}

const byRevision = (a, b) => (a.revision ?? 'extension').localeCompare(b.revision ?? 'extension')
