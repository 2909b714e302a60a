import { type JSX, useCallback, useDeferredValue, useState } from 'react'
import { Empty } from '../parts/empty.tsx'
import { useParam } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { EntryPane } from './entry-pane.tsx'
import { type Found, LanesView } from './lanes-view.tsx'
import { MethodTable } from './method-table.tsx'
import { RowList } from './row-list.tsx'
import { useSource } from './source.ts'
import { TimelineHead } from './timeline-head.tsx'

const nothing: Found = { query: undefined, problems: [], total: undefined }

/** Every message of every server. Its filter, the message that is opened and its look are parts of the address. */
export function TimelineScreen(): JSX.Element {
  const [typed = '', setTyped] = useParam('q')
  const query = useDeferredValue(typed)
  const [chosen, choose] = useChosen()
  const [latency] = useParam('latency')
  const [look] = useParam('look')
  const Messages = look === 'lanes' ? LanesView : RowList
  const [{ query: answered, problems, total }, setFound] = useState<Found>(nothing)
  const isLive = useSource().session === undefined
  const isEmpty = useBench(({ timeline }) => timeline.first === timeline.next) && isLive
  return (
    <div className="timeline">
      <TimelineHead typed={typed} change={setTyped} problems={problems} total={isEmpty ? undefined : total} />
      {latency !== undefined && <MethodTable query={query} />}
      <div
        className={chosen === undefined ? 'timeline-body' : 'timeline-body chosen'}
        aria-busy={!isEmpty && answered !== typed}
      >
        {isEmpty ? (
          <Empty title="No messages yet">
            <p>Connect a server, and everything that is said between you and it appears here.</p>
          </Empty>
        ) : (
          <Messages query={query} chosen={chosen} choose={choose} tellFound={setFound} />
        )}
        {chosen !== undefined && <EntryPane key={chosen} id={chosen} choose={choose} filter={setTyped} />}
      </div>
    </div>
  )
}

/** The message that is opened. */
function useChosen(): [number | undefined, (id: number | undefined) => void] {
  const [message, setMessage] = useParam('message')
  const choose = useCallback(
    (id: number | undefined) => setMessage(id === undefined ? undefined : String(id)),
    [setMessage],
  )
  return [message !== undefined && /^\d{1,15}$/.test(message) ? Number(message) : undefined, choose]
}
