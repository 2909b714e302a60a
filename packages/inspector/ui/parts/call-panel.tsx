import type { JsonObject } from '@tenon/sdk/client'
import { type JSX, type ReactNode, useMemo } from 'react'
import { readExact } from '../../src/exact-json.ts'
import type { Call, Operation } from '../../src/protocol.ts'
import { duration } from '../content/format.ts'
import { JsonTree } from '../content/json-tree.tsx'
import { visible } from '../content/visible.ts'
import { run } from '../state/api.ts'
import { hrefTo } from '../state/route.ts'
import { timelineAddress } from '../timeline/address.ts'
import { ProblemNotice } from './problem.tsx'
import { Term } from './term.tsx'
import { WireTexts } from './wire-texts.tsx'

/** A call: its progress, and then its outcome. */
export function CallPanel({
  call,
  label = 'Result',
  children,
}: {
  call: Call
  label?: string
  children: (result: JsonObject) => ReactNode
}): JSX.Element {
  const { outcome } = call
  const result = useMemo(() => resultOf(outcome), [outcome])
  return (
    <section className="card call-panel" aria-label={label} aria-busy={outcome === undefined} data-call={call.id}>
      <header>
        <h2>Result</h2>
        <CallState call={call} />
        <Term>{methodOf(call.operation)}</Term>
        {call.task !== undefined && <a href={hrefTo('tasks', call.server, call.task.taskId)}>Open the task</a>}
        {/* Before the end it would be moved by the words beside it. */}
        {call.sent !== undefined && outcome !== undefined && (
          <a href={timelineAddress({ q: `of:${call.sent.first}` })} title="The messages of this call, in the timeline">
            Messages
          </a>
        )}
        <span className="grow" />
        {outcome === undefined ? (
          <button type="button" className="button small" onClick={() => void run('call.cancel', { call: call.id })}>
            Cancel
          </button>
        ) : (
          <span className="small muted">{duration(outcome.durationMs)}</span>
        )}
      </header>
      <div className="body stack">
        {outcome === undefined && <CallProgress call={call} />}
        {outcome?.kind === 'problem' && <ProblemNotice problem={outcome.problem} />}
        {result !== undefined && children(result)}
        {outcome !== undefined && outcome.warnings.length > 0 && (
          <div className="notice warn">
            <strong>The library warns</strong>
            {outcome.warnings.map((warning) => (
              <span key={warning}>{visible(warning)}</span>
            ))}
          </div>
        )}
        {result !== undefined && (
          <details>
            <summary className="small muted">The whole result</summary>
            <JsonTree value={result} />
          </details>
        )}
        {call.sent !== undefined && outcome !== undefined && <WireTexts sent={call.sent} />}
      </div>
    </section>
  )
}

/** The method of the request. */
const methodOf = (operation: Operation): string =>
  operation.method === 'request' ? visible(operation.name) : operation.method

/** The result with all digits of its numbers. */
function resultOf(outcome: Call['outcome']): JsonObject | undefined {
  if (outcome?.kind !== 'result') return undefined
  return outcome.exact === undefined ? outcome.result : (readExact(outcome.exact) as { result: JsonObject }).result
}

/** How a call ended, or that it has not. */
export function CallState({ call }: { call: Call }): JSX.Element {
  const { outcome, task } = call
  const state = (): [tone: string, text: string] => {
    if (outcome === undefined) return ['accent', task === undefined ? 'running' : `task ${task.status}`]
    if (outcome.kind === 'problem')
      return [outcome.problem.kind === 'cancelled' ? 'warn' : 'danger', outcome.problem.kind]
    return outcome.result.isError === true ? ['danger', 'tool error'] : ['ok', 'done']
  }
  const [tone, text] = state()
  return (
    <span className={`badge ${tone}`} role="status">
      {text}
    </span>
  )
}

/** How far a call is that has not ended. */
export function CallProgress({ call: { progress, task } }: { call: Call }): JSX.Element {
  const message = progress?.message ?? task?.statusMessage
  const share = progress?.total ? { value: progress.progress, max: progress.total } : {}
  return (
    <div className="progress-line">
      <progress {...share} aria-label="Progress" />
      <span className="small muted">
        {progress === undefined
          ? 'Waiting for the answer'
          : `${progress.progress}${progress.total ? ` of ${progress.total}` : ''}`}
        {message !== undefined && ` · ${visible(message)}`}
      </span>
    </div>
  )
}
