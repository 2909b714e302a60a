import { type CSSProperties, type JSX, memo } from 'react'
import type { TimelineRow } from '../../src/protocol.ts'
import { clock, duration, size } from '../content/format.ts'
import { visibleLine } from '../content/visible.ts'
import { useBench } from '../state/store.ts'

export const rowHeight = 28

/** The names of the columns of a list of messages. */
export function RowHeads(): JSX.Element {
  return (
    <div className="row-heads" aria-hidden>
      <span className="row-time">Time</span>
      <span className="row-server">Server</span>
      <span className="row-way" />
      <span className="row-kind">Kind</span>
      <span>Method and content</span>
      <span>Status</span>
      <span className="row-duration">Duration</span>
      <span className="row-size">Size</span>
    </div>
  )
}

interface LineProps {
  row: TimelineRow
  position: number
  total: number
  isChosen: boolean
  /** Whether it is the counterpart of the chosen row. */
  isPair: boolean
  choose: (id: number) => void
}

const kindWords = {
  request: 'request',
  notification: 'notification',
  result: 'response',
  error: 'error',
  http: 'HTTP',
  refused: 'no message',
  stderr: 'stderr',
  note: 'note',
} as const

const nameless: { readonly [kind: string]: string } = {
  refused: 'input that is no message',
  notification: '(unknown)',
  result: '(unknown)',
  error: '(unknown)',
}

/** A message in one line. */
export const RowLine = memo(function RowLine(props: LineProps): JSX.Element {
  const { row, position, total, isChosen, isPair, choose } = props
  const name = useBench((bench) => bench.servers.find(({ id }) => id === row.server)?.spec.name ?? '')
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys move through the list, which has the focus.
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus for all its rows.
    <div
      id={`row-${row.id}`}
      className={`row-line ${row.status ?? ''} ${row.kind}${isPair ? ' pair' : ''}`}
      role="option"
      aria-selected={isChosen}
      aria-setsize={total}
      aria-posinset={position + 1}
      style={{ transform: `translateY(${position * rowHeight}px)` }}
      onClick={() => choose(row.id)}
    >
      <span className="row-time">{clock(row.at)}</span>
      <span className="row-server">{visibleLine(name)}</span>
      <RowWay row={row} />
      <span className="row-kind">{kindWords[row.kind]}</span>
      <span className="row-method">
        {visibleLine(row.method || nameless[row.kind] || '')}
        {row.repeats !== undefined && <span className="row-repeats">×{row.repeats + 1}</span>}{' '}
        {row.name !== undefined && <span className="row-name">{visibleLine(row.name)}</span>}{' '}
        {row.summary !== undefined && <span className="row-summary">{visibleLine(row.summary)}</span>}
      </span>
      <span className="row-status">{row.status ?? ''}</span>
      <RowDuration ms={row.durationMs} />
      <span className="row-size">{size(row.bytes)}</span>
    </div>
  )
})

function RowWay({ row: { kind, from } }: { row: TimelineRow }): JSX.Element {
  if (kind === 'note') return <span className="row-way" />
  return (
    <span className="row-way" title={from === 'client' ? 'sent' : 'received'}>
      {from === 'client' ? '→' : '←'}
    </span>
  )
}

/** How long it took: as a number, and as a line whose length tells milliseconds from seconds. */
function RowDuration({ ms }: { ms: number | undefined }): JSX.Element {
  if (ms === undefined) return <span className="row-duration" />
  const share = Math.min(1, Math.log10(1 + Math.max(0, ms)) / 4)
  return (
    <span className="row-duration" data-span style={{ '--span': share.toFixed(2) } as CSSProperties}>
      {duration(ms)}
    </span>
  )
}
