import { ToolError } from '@tenon/sdk/server'
import type { Effect, Graph } from '../graph.ts'
import { type Change, touchedBy, undoneAmong } from '../store/change.ts'
import type { Plan } from '../store/store.ts'

/** Takes back a change: the given one, or the last one that is not undone yet. */
export function undoChange(graph: Graph, newestFirst: readonly Change[], seq: number | undefined): Plan<Change> {
  const undone = undoneAmong(newestFirst)
  const target = newestFirst.find((change) =>
    seq === undefined ? change.undoes === undefined && !undone.has(change.seq) : change.seq === seq,
  )
  if (target === undefined) {
    throw new ToolError(
      seq === undefined
        ? 'There is no change that could be undone.'
        : `There is no change ${seq} in the history. Look for its number with read_history.`,
    )
  }
  if (undone.has(target.seq)) throw new ToolError(`Change ${target.seq} is undone already. Nothing was changed.`)
  refuseConflict(newestFirst, undone, target)
  const effects = target.effects.toReversed().flatMap((effect) => opposite(effect, graph))
  return { effects, result: target, undoes: target.seq }
}

/** A later change of the same entities may build on this one, and has to go first. */
function refuseConflict(newestFirst: readonly Change[], undone: ReadonlySet<number>, target: Change): void {
  const names = touchedBy(target)
  const isInTheWay = (change: Change): boolean =>
    change.seq > target.seq &&
    !undone.has(change.seq) &&
    // A change and its undoing, both later than the target, cancel each other.
    !(change.undoes !== undefined && change.undoes > target.seq) &&
    [...touchedBy(change)].some((name) => names.has(name))
  const later = newestFirst.filter(isInTheWay).map(({ seq }) => seq)
  if (later.length === 0) return
  throw new ToolError(
    `Change ${target.seq} cannot be undone yet: later changes are about the same entities. Undo them first, in this order: ${later.slice(0, 20).join(', ')}.`,
  )
}

function opposite(effect: Effect, graph: Graph): Effect[] {
  switch (effect.op) {
    case 'create': {
      const entity = graph.entities.get(effect.entity.name)
      return entity === undefined ? [] : [{ op: 'remove', entity }]
    }
    case 'remove':
      return [{ op: 'create', entity: effect.entity }]
    case 'relate':
      return [{ op: 'unrelate', relation: effect.relation }]
    case 'unrelate':
      return [{ op: 'relate', relation: effect.relation }]
    default:
      return [{ ...effect, op: effect.op === 'observe' ? 'forget' : 'observe' }]
  }
}
