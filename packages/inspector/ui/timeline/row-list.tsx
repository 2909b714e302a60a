import {
  type CSSProperties,
  type JSX,
  type KeyboardEvent,
  memo,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { TimelineRow } from '../../src/protocol.ts'
import { clock, duration, size } from '../content/format.ts'
import { visibleLine } from '../content/visible.ts'
import { useBench } from '../state/store.ts'
import { PairSpan } from './pair-span.tsx'
import { useRows } from './use-rows.ts'

const rowHeight = 28
const beyond = 20
const step = 20

interface Props {
  query: string
  chosen: number | undefined
  choose: (id: number | undefined) => void
  tellProblems: (problems: readonly string[]) => void
}

/** All rows that match, of which only those in view exist. It follows the end while the end is in view. */
export function RowList({ query, chosen, choose, tellProblems }: Props): JSX.Element {
  const list = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ first: 0, count: 40 })
  const [follows, setFollows] = useState(true)
  const offset = Math.max(0, Math.floor(view.first / step) * step - beyond)
  const {
    rows,
    total,
    problems,
    offset: from,
    query: answered,
  } = useRows(query, offset, view.count + 2 * beyond + step)
  useEffect(() => tellProblems(problems), [problems, tellProblems])

  const look = (): void => {
    const { scrollTop, clientHeight, scrollHeight } = list.current!
    const [first, count] = [Math.floor(scrollTop / rowHeight), Math.ceil(clientHeight / rowHeight) + 1]
    setView((before) => (before.first === first && before.count === count ? before : { first, count }))
    setFollows(scrollTop + clientHeight >= scrollHeight - rowHeight)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time there are more rows, the end is elsewhere.
  useLayoutEffect(() => {
    if (follows && list.current !== null) list.current.scrollTop = list.current.scrollHeight
  }, [total, follows, answered])
  // The chosen row stays in view when the list is resized.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the choice and the room matter, not each new row.
  useEffect(() => {
    const at = rows.findIndex(({ id }) => id === chosen)
    if (at !== -1) keepInView(list.current!, from + at)
  }, [chosen, view.count])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks at the element, which stays the same.
  useEffect(() => {
    const observer = new ResizeObserver(look)
    observer.observe(list.current!)
    return () => observer.disconnect()
  }, [])
  const move = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape') choose(undefined)
    if (by === undefined) return
    event.preventDefault()
    const at = rows.findIndex(({ id }) => id === chosen)
    const next = rows[at === -1 ? rows.length - 1 : at + by]
    if (next === undefined) return
    choose(next.id)
    keepInView(list.current!, from + rows.indexOf(next))
  }
  return (
    <div
      ref={list}
      className="rows"
      role="listbox"
      aria-label={`Messages, ${total} in all`}
      aria-activedescendant={chosen === undefined ? undefined : `row-${chosen}`}
      tabIndex={0}
      onScroll={look}
      onKeyDown={move}
    >
      <div className="rows-space" role="presentation" style={{ height: total * rowHeight }}>
        <PairSpan rows={rows} from={from} chosen={chosen} rowHeight={rowHeight} />
        {rows.map((row, index) => (
          <RowLine
            key={row.id}
            row={row}
            position={from + index}
            total={total}
            isChosen={row.id === chosen}
            isPair={row.pair !== undefined && row.pair === chosen}
            choose={choose}
          />
        ))}
      </div>
      {total === 0 && <p className="muted pane-note">No message fits.</p>}
    </div>
  )
}

function keepInView(list: HTMLElement, position: number): void {
  const top = position * rowHeight
  if (top < list.scrollTop) list.scrollTop = top
  else if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight
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
  request: 'asks',
  notification: 'tells',
  result: 'answers',
  error: 'refuses',
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

const RowLine = memo(function RowLine({ row, position, total, isChosen, isPair, choose }: LineProps): JSX.Element {
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
        {row.name !== undefined && <span className="muted"> {visibleLine(row.name)}</span>}
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
