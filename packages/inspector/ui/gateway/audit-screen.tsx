import { type JSX, useState } from 'react'
import { JsonTree } from '../content/json-tree.tsx'
import { visibleLine } from '../content/visible.ts'
import { Empty } from '../parts/empty.tsx'
import { SearchBox } from '../parts/search-box.tsx'
import { useParam } from '../state/route.ts'
import type { AuditEntry } from './answers.ts'
import { useAnswer } from './ask.ts'
import { Fault, Head } from './parts.tsx'

const types = ['decision', 'outcome', 'approval', 'pin', 'start', 'end'] as const
const limit = 200

/** The audit log, the newest first. */
export function AuditScreen(): JSX.Element {
  const [text, setText] = useParam('q')
  const [type, setType] = useParam('type')
  const query = { limit, ...(text && { text }), ...(type && { facts: { type } }) }
  const { answer, problem, again } = useAnswer<AuditEntry[] | null>('audit', query)
  return (
    <div className="column stack wide">
      <Head title="Audit" about={`Decisions and calls, the newest first, at most ${limit}. Secrets are hidden.`}>
        <button type="button" className="button" onClick={again}>
          Read again
        </button>
      </Head>
      <div className="row">
        <div className="grow">
          <SearchBox label="Search the log" value={text ?? ''} change={setText} />
        </div>
        <label className="row">
          <span className="field-label">Type</span>
          <select className="select type-select" value={type ?? ''} onChange={(event) => setType(event.target.value)}>
            <option value="">all</option>
            {types.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      {problem !== undefined && <Fault problem={problem} />}
      {answer === null && (
        <Empty title="There is no log">
          <p>The section audit of the configuration says where it is kept.</p>
        </Empty>
      )}
      {answer?.length === 0 && <Empty title="Nothing was found" />}
      <ul className="stack log-entries" aria-label="Entries">
        {answer?.map((entry) => (
          <Entry key={`${entry.chain} ${entry.seq}`} entry={entry} />
        ))}
      </ul>
    </div>
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? visibleLine(value) : '')

function Entry({ entry }: { entry: AuditEntry }): JSX.Element {
  const { time, type, caller, name, verdict, status, by } = entry
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <details className="card log-entry" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <time dateTime={time} className="mono">
            {textOf(time).replace('T', ' ').replace('Z', '')}
          </time>
          <span className="badge">{textOf(type)}</span>
          <span className="mono">{textOf(name)}</span>
          <span>{textOf(caller)}</span>
          <span className={verdict === 'refuse' ? 'badge danger' : 'badge'}>{textOf(verdict ?? status)}</span>
          <span className="muted">{textOf(by)}</span>
        </summary>
        {isOpen && (
          <div className="body">
            <JsonTree value={entry} />
          </div>
        )}
      </details>
    </li>
  )
}
