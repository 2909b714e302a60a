import type { JSX } from 'react'
import type { TimelineRow } from '../../src/protocol.ts'

interface Props {
  rows: readonly TimelineRow[]
  /** The position of the first of the rows. */
  from: number
  chosen: number | undefined
  rowHeight: number
}

/** A line from a request to its answer, along the rows between them. */
export function PairSpan({ rows, from, chosen, rowHeight }: Props): JSX.Element | null {
  const at = rows.findIndex(({ id }) => id === chosen)
  const pair = rows[at]?.pair
  if (pair === undefined) return null
  const other = rows.findIndex(({ id }) => id === pair)
  // A row that is not loaded is above or below: the line leads out of view.
  const end = other !== -1 ? other : pair < rows[at]!.id ? -1 : rows.length
  const top = (from + Math.min(at, end)) * rowHeight + rowHeight / 2
  return (
    <div
      className="pair-span"
      role="presentation"
      style={{ transform: `translateY(${top}px)`, height: Math.abs(at - end) * rowHeight }}
    />
  )
}
