import { type JSX, useDeferredValue, useState } from 'react'
import { Empty } from '../parts/empty.tsx'
import { download } from '../parts/files.ts'
import { SearchBox } from '../parts/search-box.tsx'
import { TakeSession } from '../sessions/take-session.tsx'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'
import { EntryPane } from './entry-pane.tsx'
import { LanesView } from './lanes-view.tsx'
import { MethodTable } from './method-table.tsx'
import { RowList } from './row-list.tsx'
import { useSource } from './source.ts'

const filters: readonly [label: string, term: string][] = [
  ['Errors', 'status:error,refused,lost'],
  ['Slow', 'duration:>1s'],
  ['No HTTP', '-kind:http'],
  ['Requests', 'kind:request'],
]

/** Every message of every server, or those that a link asks for to begin with. */
export function TimelineScreen({ query: first = '' }: { query?: string | undefined }): JSX.Element {
  const [typed, setTyped] = useState(first)
  const query = useDeferredValue(typed)
  const [chosen, choose] = useState<number>()
  const [showStats, setShowStats] = useState(false)
  const [asLanes, setAsLanes] = useState(false)
  const Messages = asLanes ? LanesView : RowList
  const [problems, setProblems] = useState<readonly string[]>([])
  const source = useSource()
  const isLive = source.session === undefined
  const isEmpty = useBench(({ timeline }) => timeline.first === timeline.next) && isLive
  return (
    <div className="timeline">
      <div className="timeline-head">
        {isLive && <h1 className="visually-hidden">Timeline</h1>}
        <div className="grow timeline-search">
          <SearchBox
            label="Filter messages"
            value={typed}
            change={setTyped}
            placeholder="server:name method:tools/* status:error duration:>100ms text"
          />
        </div>
        <fieldset className="row bare" aria-label="Look">
          {[false, true].map((lanes) => (
            <button
              key={String(lanes)}
              type="button"
              className="button small"
              aria-pressed={asLanes === lanes}
              onClick={() => setAsLanes(lanes)}
            >
              {lanes ? 'Lanes' : 'List'}
            </button>
          ))}
        </fieldset>
        <fieldset className="row bare" aria-label="Filters">
          {filters.map(([label, term]) => (
            <FilterButton key={term} label={label} term={term} query={typed} change={setTyped} />
          ))}
        </fieldset>
        <button
          type="button"
          className="button small"
          aria-pressed={showStats}
          onClick={() => setShowStats(!showStats)}
        >
          Latency
        </button>
        <button type="button" className="button small" onClick={() => void save(query, source)}>
          Export
        </button>
        {isLive && (
          <>
            <TakeSession className="button small" />
            <button type="button" className="button small" onClick={() => void run('timeline.clear', {})}>
              Clear
            </button>
          </>
        )}
      </div>
      {problems.length > 0 && <p className="issue small timeline-problem">{problems.join('; ')}</p>}
      {showStats && <MethodTable query={query} />}
      <div className={chosen === undefined ? 'timeline-body' : 'timeline-body chosen'}>
        {isEmpty ? (
          <Empty title="No messages yet">
            <p>Connect a server, and everything that is said between you and it appears here.</p>
          </Empty>
        ) : (
          <Messages query={query} chosen={chosen} choose={choose} tellProblems={setProblems} />
        )}
        {chosen !== undefined && <EntryPane key={chosen} id={chosen} choose={choose} filter={setTyped} />}
      </div>
    </div>
  )
}

interface FilterProps {
  label: string
  term: string
  query: string
  change: (query: string) => void
}

/** Adds a term to the query, or takes it out again. */
function FilterButton({ label, term, query, change }: FilterProps): JSX.Element {
  const terms = query.split(/\s+/).filter(Boolean)
  const isOn = terms.includes(term)
  const toggled = isOn ? terms.filter((other) => other !== term) : [...terms, term]
  return (
    <button type="button" className="button small" aria-pressed={isOn} onClick={() => change(toggled.join(' '))}>
      {label}
    </button>
  )
}

/** Saves the matching messages as a file, one per line. */
async function save(query: string, source: { session?: string }): Promise<void> {
  const { text, name } = await run('timeline.export', { query, ...source })
  download(name, text)
}
