import type { EvalConversation, EvalRunView } from '../../src/protocol.ts'

/** An evaluation, with the conversations that have ended so far. */
export interface EvalState {
  run: EvalRunView
  conversations: readonly EvalConversation[]
}

/** The evaluations after news of one. A conversation that is told twice is there once. */
export function withEval(
  evaluations: ReadonlyMap<string, EvalState>,
  { run, conversations }: EvalState,
): ReadonlyMap<string, EvalState> {
  const known = evaluations.get(run.suite)
  const before = known?.run.id === run.id ? known.conversations : []
  const all = new Map([...before, ...conversations].map((one) => [one.number, one]))
  return new Map(evaluations).set(run.suite, { run, conversations: [...all.values()] })
}
