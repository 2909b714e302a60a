import { differences } from '@tenon/replay/json'
import type { JsonObject, Tool } from '@tenon/sdk/client'
import { type JSX, useMemo, useState } from 'react'
import { readExact, writeExact } from '../../src/exact-json.ts'
import type { Call, ServerView } from '../../src/protocol.ts'
import { DifferenceTable } from '../compare/difference-table.tsx'
import { clock, duration } from '../content/format.ts'
import { visibleLine } from '../content/visible.ts'
import { draftOf } from '../form/draft.ts'
import { useBench } from '../state/store.ts'
import type { ToolFormState } from './use-tool-form.ts'

const maxShown = 30
const maxDifferences = 100
const maxText = 120

/** The calls of a tool, the newest first: each can be shown, made again, taken into the form, and compared with the one before. */
export function CallHistory(props: { tool: Tool; server: ServerView; form: ToolFormState }): JSX.Element | null {
  const { tool, server, form } = props
  const calls = useBench((bench) => bench.calls)
  const mine = useMemo(() => callsOf(calls.values(), server.id, tool.name), [calls, server.id, tool.name])
  if (mine.length < 2) return null
  return (
    <details className="card definition call-history">
      <summary>
        Earlier calls <span className="badge">{mine.length}</span>
      </summary>
      <ol className="body stack">
        {mine.slice(0, maxShown).map((call, index) => (
          <HistoryItem key={call.id} call={call} before={mine[index + 1]} form={form} />
        ))}
      </ol>
    </details>
  )
}

const callsOf = (calls: Iterable<Call>, server: string, tool: string): Call[] =>
  [...calls]
    .filter(({ server: of, operation, revision }) => {
      // Those of a comparison are on connections of their own.
      return of === server && operation.method === 'tools/call' && operation.name === tool && revision === undefined
    })
    .toSorted((a, b) => b.startedAt - a.startedAt)

/** The arguments with all digits of their numbers. */
function argumentsOf({ sent, operation }: Call): JsonObject {
  if (sent !== undefined) {
    const { params } = readExact(sent.text) as { params?: { arguments?: JsonObject } }
    if (params?.arguments !== undefined) return params.arguments
  }
  return operation.method === 'tools/call' ? operation.arguments : {}
}

function stateOf({ outcome }: Call): [tone: string, words: string] {
  if (outcome === undefined) return ['accent', 'running']
  if (outcome.kind === 'problem') return ['danger', outcome.problem.kind]
  return outcome.result.isError === true ? ['danger', 'tool error'] : ['ok', 'done']
}

function HistoryItem(props: { call: Call; before: Call | undefined; form: ToolFormState }): JSX.Element {
  const { call, before, form } = props
  const [isCompared, setCompared] = useState(false)
  const [tone, words] = stateOf(call)
  const args = argumentsOf(call)
  const shown = visibleLine(writeExact(args))
  const isShown = form.call?.id === call.id
  return (
    <li>
      <div className="row">
        <span className="small muted">{clock(call.startedAt)}</span>
        <span className={`badge ${tone}`}>{words}</span>
        {call.outcome !== undefined && <span className="small muted">{duration(call.outcome.durationMs)}</span>}
        <code className="grow history-arguments" title={shown}>
          {shown.length > maxText ? `${shown.slice(0, maxText)}…` : shown}
        </code>
        <button type="button" className="button small quiet" disabled={isShown} onClick={() => form.show(call.id)}>
          {isShown ? 'Shown' : 'Show'}
        </button>
        <button type="button" className="button small quiet" onClick={() => form.setDraft(draftOf(args))}>
          Into the form
        </button>
        <button type="button" className="button small" disabled={form.isRunning} onClick={() => void form.again(args)}>
          Call again
        </button>
        {before !== undefined && (
          <button
            type="button"
            className="button small quiet"
            aria-expanded={isCompared}
            onClick={() => setCompared(!isCompared)}
          >
            Difference
          </button>
        )}
      </div>
      {isCompared && before !== undefined && <Compared before={before} after={call} />}
    </li>
  )
}

const answerOf = ({ outcome }: Call): unknown => (outcome?.kind === 'result' ? outcome.result : outcome?.problem)

function Compared({ before, after }: { before: Call; after: Call }): JSX.Element {
  const found = useMemo(
    () => differences(answerOf(before), answerOf(after), { limit: maxDifferences, exact: true }),
    [before, after],
  )
  if (found.length === 0) return <p className="small muted">The same answer as the call before it.</p>
  return (
    <DifferenceTable label="Difference to the call before" sides={['The call before', 'This call']} found={found} />
  )
}
