import { type JSX, useState } from 'react'
import { clock, duration } from '../content/format.ts'
import { visibleLine } from '../content/visible.ts'
import { SearchBox } from '../parts/search-box.tsx'
import { useParam } from '../state/route.ts'
import { Head, ScrollTable } from './parts.tsx'
import { type NumberedEntry, useTraffic } from './traffic.ts'

/** Requests as they pass, the latest first. */
export function TrafficScreen(): JSX.Element {
  const { entries } = useTraffic()
  const [text, setText] = useParam('q')
  const [held, setHeld] = useState<readonly NumberedEntry[]>()
  const wanted = (text ?? '').toLowerCase()
  const shown = (held ?? entries).filter((entry) => textOf(entry).includes(wanted))
  return (
    <div className="column stack wide">
      <Head title="Traffic" about="Requests as they end. Arguments and results are not shown here.">
        <button
          type="button"
          className="button"
          aria-pressed={held !== undefined}
          onClick={() => setHeld(held === undefined ? entries : undefined)}
        >
          Pause
        </button>
      </Head>
      <SearchBox label="Search requests" value={text ?? ''} change={setText} />
      <ScrollTable label="Requests" heads={['Time', 'Caller', 'Method', 'Name', 'Upstream', 'Status', 'Took']}>
        {shown.map((entry) => (
          <tr key={entry.number}>
            <td className="mono">{clock(Date.parse(entry.time))}</td>
            <td>{visibleLine(entry.caller)}</td>
            <td className="mono">{visibleLine(entry.method)}</td>
            <td className="mono">{visibleLine(entry.name ?? '')}</td>
            <td>{visibleLine(entry.upstream)}</td>
            <td>
              <span className={`badge ${entry.status === 'ok' ? 'ok' : 'danger'}`}>{visibleLine(entry.status)}</span>
            </td>
            <td>{duration(entry.ms)}</td>
          </tr>
        ))}
      </ScrollTable>
      {shown.length === 0 && <p className="muted">{entries.length === 0 ? 'No request yet.' : 'None of them.'}</p>}
    </div>
  )
}

const textOf = ({ caller, method, name = '', upstream, server, status }: NumberedEntry): string =>
  [caller, method, name, upstream, server, status].join(' ').toLowerCase()
