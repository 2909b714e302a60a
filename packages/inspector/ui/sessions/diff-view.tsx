import type { JSX, ReactNode } from 'react'
import type { SessionDiff } from '../../src/protocol.ts'
import { DifferenceTable } from '../compare/difference-table.tsx'
import { duration } from '../content/format.ts'
import { visible } from '../content/visible.ts'
import { ColumnHeads } from '../parts/column-heads.tsx'

type Item = SessionDiff['items'][number]
type Change = Item['changes'][number]
type Request = SessionDiff['requests'][number]

const tones = { breaking: 'danger', compatible: 'ok', unclear: 'warn' } as const
const words = { added: 'new', removed: 'gone', changed: 'changed' } as const
const maxShown = 50

/** How two sessions differ: the server, its lists, its answers, and their durations. */
export function DiffView({ diff }: { diff: SessionDiff }): JSX.Element {
  const { same, breaking, server, items, requests, unchanged, timing } = diff
  return (
    <div className="stack wide">
      <div className="row" role="status">
        {same && <span className="badge ok">the same</span>}
        {breaking > 0 && <span className="badge danger">{breaking} breaking</span>}
        {!same && (
          <span className="badge">
            {items.length} offers and {requests.length} answers differ
          </span>
        )}
        <span className="badge">{unchanged} answers alike</span>
      </div>
      <Part title="The server" count={server.length}>
        <Changes changes={server} />
      </Part>
      <Part title="Tools, resources and prompts" count={items.length}>
        {items.slice(0, maxShown).map((item) => (
          <ItemView key={`${item.kind} ${item.name}`} item={item} />
        ))}
        <More of={items.length} />
      </Part>
      <Part title="Answers" count={requests.length}>
        {requests.slice(0, maxShown).map((request) => (
          <RequestView key={`${request.request} ${request.occurrence}`} request={request} />
        ))}
        <More of={requests.length} />
      </Part>
      <Part title="How long it took" count={timing.length}>
        <Timing timing={timing} />
      </Part>
    </div>
  )
}

function More({ of }: { of: number }): JSX.Element | null {
  return of > maxShown ? <p className="muted">and {of - maxShown} more</p> : null
}

function Part({ title, count, children }: { title: string; count: number; children: ReactNode }): JSX.Element | null {
  if (count === 0) return null
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      <div className="body stack">{children}</div>
    </section>
  )
}

function Changes({ changes }: { changes: readonly Change[] }): JSX.Element {
  return (
    <>
      <ul className="stack">
        {changes.slice(0, maxShown).map(({ severity, path, what }) => (
          <li key={`${path} ${what}`} className="row">
            <span className={`badge ${tones[severity]}`}>{severity}</span>
            <span>
              <code>{visible(path)}</code> {visible(what)}
            </span>
          </li>
        ))}
      </ul>
      <More of={changes.length} />
    </>
  )
}

function ItemView({ item }: { item: Item }): JSX.Element {
  return (
    <div className="stack">
      <h3 className="row">
        {item.kind} <code>{visible(item.name)}</code>
        <span className={`badge ${tones[item.severity]}`}>{words[item.status]}</span>
      </h3>
      <Changes changes={item.changes} />
    </div>
  )
}

function RequestView({ request }: { request: Request }): JSX.Element {
  const { status, occurrence, differences } = request
  return (
    <div className="stack">
      <h3 className="row">
        <code className="request-words">{visible(request.request)}</code>
        {occurrence > 1 && <span className="muted">({occurrence}.)</span>}
        <span className="badge">{words[status]}</span>
      </h3>
      {differences.length > 0 && (
        <DifferenceTable
          label={`Differences of ${request.request}, ${occurrence}`}
          sides={['Before', 'After']}
          found={differences.slice(0, maxShown)}
        />
      )}
    </div>
  )
}

function Timing({ timing }: { timing: SessionDiff['timing'] }): JSX.Element {
  const slowest = timing.toSorted((a, b) => b.afterMs - a.afterMs).slice(0, maxShown)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard.
    <section className="table-scroll" aria-label="Times" tabIndex={0}>
      <table>
        <ColumnHeads names={['Request', 'Times', 'Before', 'After', 'Ratio']} />
        <tbody>
          {slowest.map(({ request, count, beforeMs, afterMs, ratio }) => (
            <tr key={request}>
              <td className="mono">{visible(request)}</td>
              <td>{count}</td>
              <td>{duration(beforeMs)}</td>
              <td>{duration(afterMs)}</td>
              <td>×{ratio}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
