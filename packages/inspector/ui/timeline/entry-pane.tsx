import { type JSX, useCallback, useState } from 'react'
import { readExact, writeExact } from '../../src/exact-json.ts'
import type { TimelineEntry } from '../../src/protocol.ts'
import { clock, duration, size } from '../content/format.ts'
import { JsonTree } from '../content/json-tree.tsx'
import { JsonText } from '../content/text-view.tsx'
import { visibleLine } from '../content/visible.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { Segments } from '../parts/segments.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
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
  const source = useSource()
  const { value: entry, problem } = useLoaded(useCallback(() => run('timeline.get', { id, ...source }), [id, source]))
  return (
    <section className="entry-pane" aria-label="Message">
      <div className="row entry-head">
        <h2 className="grow mono">{entry === undefined ? 'Message' : visibleLine(entry.method || entry.kind)}</h2>
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
        {entry !== undefined && <CopyButton text={() => writeExact(readExact(entry.text), 2)} />}
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
          <EntryText text={entry.text} />
        </>
      )}
    </section>
  )
}

/** A message as a tree, or as text with line numbers and search. */
function EntryText({ text }: { text: string }): JSX.Element {
  const [isText, setText] = useState(false)
  return (
    <>
      <Segments
        label="Show as"
        options={[
          { name: 'tree', label: 'Tree' },
          { name: 'text', label: 'Text' },
        ]}
        chosen={isText ? 'text' : 'tree'}
        choose={(name) => setText(name === 'text')}
      />
      {isText ? (
        <JsonText label="Message as JSON" text={writeExact(readExact(text), 2)} />
      ) : (
        <JsonTree value={readExact(text)} open={4} />
      )}
    </>
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
  const { tenon, curl, typescript } = entry.copyAs ?? {}
  return (
    <>
      <div className="row">
        {tenon !== undefined && <CopyButton text={tenon} label="Copy as tenon command" />}
        {curl !== undefined && <CopyButton text={curl} label="Copy as curl" />}
        {typescript !== undefined && <CopyButton text={typescript} label="Copy as TypeScript" />}
        <KeepCall entry={entry} server={server?.id} />
      </div>
      {server !== undefined && <SendAgain key={entry.id} entry={entry} server={server} />}
    </>
  )
}
