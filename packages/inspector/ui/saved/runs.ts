import type { SavedResult, SavedRun } from '../../src/protocol.ts'

/** A run, with the results that have come so far. */
export interface RunState {
  run: SavedRun
  results: readonly SavedResult[]
}

const maxRuns = 20

/** The runs after an event of one. */
export function withRun(
  runs: ReadonlyMap<string, RunState>,
  { run, results }: { run: SavedRun; results: readonly SavedResult[] },
): ReadonlyMap<string, RunState> {
  const known = runs.get(run.id)?.results ?? []
  const next = new Map(runs).set(run.id, { run, results: [...known, ...results] })
  if (next.size > maxRuns) next.delete(next.keys().next().value!)
  return next
}
