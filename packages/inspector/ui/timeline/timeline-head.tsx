import { type JSX, useState } from 'react'
import { download } from '../parts/files.ts'
import { Menu, MenuItem } from '../parts/menu.tsx'
import { Segments } from '../parts/segments.tsx'
import { TakeSessionDialog } from '../sessions/take-session.tsx'
import { run } from '../state/api.ts'
import { useParam } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { QueryBox } from './query-box.tsx'
import { useSource } from './source.ts'

const filters: readonly [label: string, term: string][] = [
  ['Errors', 'status:error,refused,lost'],
  ['Slow', 'duration:>1s'],
  ['No HTTP', '-kind:http'],
  ['Requests', 'kind:request'],
]

interface Props {
  typed: string
  change: (query: string) => void
  problems: readonly string[]
  /** How many messages match, once that is known. */
  total: number | undefined
}

/** The query, views, filters and exports of the timeline. */
export function TimelineHead({ typed, change, problems, total }: Props): JSX.Element {
  const [latency, setLatency] = useParam('latency')
  const [look, setLook] = useParam('look')
  const [polls, setPolls] = useParam('polls')
  const isLive = useSource().session === undefined
  return (
    <div className="timeline-head">
      {isLive && <h1 className="visually-hidden">Timeline</h1>}
      <div className="timeline-search">
        <QueryBox value={typed} change={change} problems={problems} />
      </div>
      <div className="row timeline-tools">
        <Segments
          label="Look"
          options={[
            { name: 'list', label: 'List' },
            { name: 'lanes', label: 'Lanes' },
          ]}
          chosen={look === 'lanes' ? 'lanes' : 'list'}
          choose={(name) => setLook(name === 'lanes' ? 'lanes' : undefined)}
        />
        <fieldset className="row bare chips" aria-label="Filters">
          {filters.map(([label, term]) => (
            <FilterChip key={term} label={label} term={term} query={typed} change={change} />
          ))}
          <Chip label="Every poll" isOn={polls === 'all'} choose={(isOn) => setPolls(isOn ? 'all' : undefined)} />
        </fieldset>
        <MatchCount total={total} />
        <span className="grow" />
        <Chip label="Latency" isOn={latency !== undefined} choose={(isOn) => setLatency(isOn ? 'shown' : undefined)} />
        <ExportMenu query={typed} />
        {isLive && (
          <button
            type="button"
            className="button small quiet danger timeline-clear"
            onClick={() => void run('timeline.clear', {})}
          >
            Clear
          </button>
        )}
      </div>
    </div>
  )
}

function Chip(props: { label: string; isOn: boolean; choose: (isOn: boolean) => void }): JSX.Element {
  const { label, isOn, choose } = props
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={() => choose(!isOn)}>
      {label}
    </button>
  )
}

interface FilterProps {
  label: string
  term: string
  query: string
  change: (query: string) => void
}

/** Adds a term to the query, or takes it out again. */
function FilterChip({ label, term, query, change }: FilterProps): JSX.Element {
  const terms = query.split(/\s+/).filter(Boolean)
  const others = terms.filter((other) => other !== term)
  return (
    <Chip
      label={label}
      isOn={terms.includes(term)}
      choose={(isOn) => change([...others, ...(isOn ? [term] : [])].join(' '))}
    />
  )
}

/** How many messages match, of how many. Folded ones count as the row that stands for them. */
function MatchCount({ total }: { total: number | undefined }): JSX.Element | null {
  const isLive = useSource().session === undefined
  const kept = useBench(({ timeline }) => timeline.next - timeline.first)
  if (total === undefined) return null
  const words = (count: number): string => count.toLocaleString('en')
  return (
    <span className="small muted timeline-count">
      {isLive && total !== kept ? `${words(total)} of ${words(kept)} messages` : `${words(total)} messages`}
    </span>
  )
}

function ExportMenu({ query }: { query: string }): JSX.Element {
  const source = useSource()
  const hasServers = useBench((bench) => bench.servers.length > 0)
  const [isTaking, setTaking] = useState(false)
  const save = async (wanted: string): Promise<void> => {
    const { text, name } = await run('timeline.export', { query: wanted, ...source })
    download(name, text)
  }
  return (
    <>
      <Menu label="Export" className="button small">
        <MenuItem label="Matching messages" choose={() => void save(query)} />
        {query !== '' && <MenuItem label="All messages" choose={() => void save('')} />}
        {source.session === undefined && hasServers && (
          <MenuItem label="Session from timeline" choose={() => setTaking(true)} />
        )}
      </Menu>
      {isTaking && <TakeSessionDialog close={() => setTaking(false)} />}
    </>
  )
}
