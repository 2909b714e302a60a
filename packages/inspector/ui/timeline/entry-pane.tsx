import { type JSX, useEffect, useState } from 'react'
import type { TimelineEntry } from '../../src/protocol.ts'
import { clock, duration, size } from '../content/format.ts'
import { JsonTree } from '../content/json-tree.tsx'
import { visibleLine } from '../content/visible.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'
import { KeepCall } from './keep-call.tsx'
import { SendAgain } from './send-again.tsx'
import { useSource } from './source.ts'

interface Props {
  id: number
  choose: (id: number | undefined) => void
  /** Shows the messages that match a query. */
  filter: (query: string) => void
}

/** One message in full, with links to its counterpart and its parent. */
export function EntryPane({ id, choose, filter }: Props): JSX.Element {
  const [entry, setEntry] = useState<TimelineEntry>()
  const source = useSource()
  const { problem, start } = useBusy()
  useEffect(() => {
    void start(async () => setEntry(await run('timeline.get', { id, ...source })))
  }, [id, source, start])
  return (
    <section className="entry-pane" aria-label="Message">
      <div className="row entry-head">
        <h2 className="grow mono">{entry === undefined ? ' ' : visibleLine(entry.method || entry.kind)}</h2>
        {entry?.pair !== undefined && (
          <button type="button" className="button small" onClick={() => choose(entry.pair)}>
            {entry.kind === 'request' ? 'Its answer' : 'Its request'}
          </button>
        )}
        {entry?.parent !== undefined && (
          <button type="button" className="button small" onClick={() => choose(entry.parent)}>
            Part of
          </button>
        )}
        {entry !== undefined && <CopyButton text={() => JSON.stringify(entry.payload, undefined, 2)} />}
        <button
          type="button"
          className="button small quiet"
          aria-label="Close message"
          onClick={() => choose(undefined)}
        >
          ✕
        </button>
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {entry !== undefined && (
        <>
          <div className="row small muted">
            <span>{clock(entry.at)}</span>
            <span>{sentBy(entry)}</span>
            {entry.durationMs !== undefined && <span>{duration(entry.durationMs)}</span>}
            <span>{size(entry.bytes)}</span>
            {entry.status !== undefined && entry.reason !== undefined && (
              <span className="issue">
                {entry.status}: {visibleLine(entry.reason)}
              </span>
            )}
            {entry.trace !== undefined && (
              <button
                type="button"
                className="button small quiet mono trace-id"
                title="Show this trace"
                onClick={() => filter(`trace:${entry.trace}`)}
              >
                trace {entry.trace}
              </button>
            )}
          </div>
          <EntryActions entry={entry} />
          <JsonTree value={entry.payload} open={4} />
        </>
      )}
    </section>
  )
}

function sentBy({ kind, from }: TimelineEntry): string {
  if (kind === 'note') return 'a note in the session'
  if (kind === 'stderr') return 'written to standard error'
  return from === 'client' ? 'sent by the workbench' : 'sent by the server'
}

/** Buttons that copy a message, or send it again. */
function EntryActions({ entry }: { entry: TimelineEntry }): JSX.Element {
  const server = useBench((bench) => bench.servers.find(({ id }) => id === entry.server))
  const { tenon, curl } = entry.copyAs ?? {}
  return (
    <>
      <div className="row">
        {tenon !== undefined && <CopyButton text={tenon} label="Copy as tenon command" />}
        {curl !== undefined && <CopyButton text={curl} label="Copy as curl" />}
        <KeepCall entry={entry} server={server?.id} />
      </div>
      {server !== undefined && <SendAgain key={entry.id} entry={entry} server={server} />}
    </>
  )
}
