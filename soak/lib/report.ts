import { type Footprint, mebibytes } from './footprint.ts'
import type { Count, Tally } from './tally.ts'

const failures = ({ failed }: Count): string =>
  Object.entries(failed)
    .map(([code, count]) => `${count} ${code}`)
    .join(', ')

/** The state of the run in one line. */
export function statusOf(tally: Tally, leftSeconds: number): string {
  const { started, answered, failed } = tally.totals
  const bad = tally.problems.length === 0 ? '' : `, ${tally.problems.length} PROBLEMS`
  return `soak: ${Math.ceil(leftSeconds)} s left, ${started} calls, ${answered} answered, ${failed} failed as they may, ${tally.kills} kills, ${tally.cuts} cuts${bad}`
}

export function tableOf(tally: Tally): string {
  const rows = [...tally.counts].map(([kind, count]) =>
    [
      kind.padEnd(14),
      String(count.started).padStart(8),
      String(count.answered).padStart(9),
      `  ${failures(count)}`,
    ].join(' '),
  )
  return [
    ['over'.padEnd(14), 'calls'.padStart(8), 'answered'.padStart(9), '  failed as they may'].join(' '),
    ...rows,
  ].join('\n')
}

export const footprintLine = (who: string, before: Footprint, after: Footprint): string =>
  `${who.padEnd(14)} memory ${mebibytes(before.memory)} → ${mebibytes(after.memory)}, handles ${before.handles} → ${after.handles}, files ${before.files} → ${after.files}`
