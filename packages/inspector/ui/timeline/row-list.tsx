import { type JSX, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { run } from '../state/api.ts'
import { useParam } from '../state/route.ts'
import type { Found } from './lanes-view.tsx'
import { PairSpan } from './pair-span.tsx'
import { RowHeads, RowLine, rowHeight } from './row-line.tsx'
import { useSource } from './source.ts'
import { useRows } from './use-rows.ts'

const beyond = 20
const step = 20

interface Props {
  query: string
  chosen: number | undefined
  choose: (id: number | undefined) => void
  tellFound: (found: Found) => void
}

/** All rows that match, of which only those in view exist. It follows the end while the end is in view. */
export function RowList({ query, chosen, choose, tellFound }: Props): JSX.Element {
  const list = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ first: 0, count: 40 })
  const [follows, setFollows] = useState(true)
  const [polls] = useParam('polls')
  const folded = polls !== 'all'
  const offset = Math.max(0, Math.floor(view.first / step) * step - beyond)
  const {
    rows,
    total,
    problems,
    offset: from,
    query: answered,
  } = useRows(query, offset, view.count + 2 * beyond + step, folded)
  useEffect(() => tellFound({ query: answered, problems, total }), [answered, problems, total, tellFound])

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
  useFirstChoice(chosen, query, folded, (position) => {
    setFollows(false)
    list.current!.scrollTop = Math.max(0, position * rowHeight - list.current!.clientHeight / 2)
  })
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
    <div className="rows-pane">
      <RowHeads />
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
        {total === 0 && answered !== undefined && <p className="muted pane-note">No message fits.</p>}
      </div>
    </div>
  )
}

/** A row that is chosen by the address may be anywhere in the list: tells its place, once the list is that long. */
function useFirstChoice(
  chosen: number | undefined,
  query: string,
  folded: boolean,
  show: (position: number) => void,
): void {
  const source = useSource()
  const wish = useRef(chosen)
  const [position, setPosition] = useState<number>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first choice, and only once.
  useEffect(() => {
    const find = wish.current
    if (find === undefined) return
    void run('timeline.query', { query, offset: 0, count: 0, find, folded, ...source }).then(
      ({ found }) => setPosition(found),
      () => {},
    )
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is shown once, when it is known.
  useEffect(() => {
    if (position !== undefined) show(position)
  }, [position])
}

function keepInView(list: HTMLElement, position: number): void {
  const top = position * rowHeight
  if (top < list.scrollTop) list.scrollTop = top
  else if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight
}
