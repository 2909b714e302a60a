import { type JSX, useState } from 'react'
import type { EvalRateView, EvalRunView, EvalSuite } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { download } from '../parts/files.ts'
import { NearList } from '../parts/near-list.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { ConversationView } from './conversation-view.tsx'
import type { EvalState } from './evaluations.ts'
import { RatesTable } from './rates-table.tsx'

interface Props {
  suite: EvalSuite
  state: EvalState
  /** Only the results of this case. */
  only: string | undefined
}

/** The results of an evaluation: how often each case passed with each model, and every conversation. */
export function EvalResults({ suite, state, only }: Props): JSX.Element | null {
  const [failedOnly, setFailedOnly] = useState(false)
  const isMeant = ({ name }: { name: string }): boolean => only === undefined || name === only
  const { run: view } = state
  const rates = view.rates.filter(isMeant)
  const all = state.conversations.filter(isMeant)
  const shown = failedOnly ? all.filter(({ status }) => status === 'failed') : all
  // The last evaluation may have been of other cases.
  if (rates.length === 0 && view.state !== 'running' && view.problem === undefined) return null
  return (
    <div className="stack">
      <Progress run={view} rates={rates} />
      {view.problem !== undefined && <ProblemNotice problem={view.problem} />}
      {rates.length > 0 && <RatesTable suite={suite} rates={rates} />}
      {view.state === 'done' && <Exports suite={suite.id} />}
      {all.length > 0 && (
        <>
          <div className="row">
            <h2 className="grow">Conversations</h2>
            <label className="row small">
              <input type="checkbox" checked={failedOnly} onChange={(event) => setFailedOnly(event.target.checked)} />
              only failed ones
            </label>
          </div>
          {shown.length === 0 && <p className="small muted">None has failed.</p>}
          <NearList items={shown} keyOf={({ number }) => `${view.id} ${number}`} isWhole={shown.length <= 100}>
            {(conversation) => <ConversationView suite={suite.id} conversation={conversation} />}
          </NearList>
        </>
      )}
    </div>
  )
}

function Progress({ run: view, rates }: { run: EvalRunView; rates: readonly EvalRateView[] }): JSX.Element {
  const { state, ended, total, now } = view
  const count = (status: string): number => rates.filter((rate) => rate.status === status).length
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')]
  return (
    <div className="stack">
      <div className="row" role="status">
        {state === 'running' ? (
          <span className="badge accent">
            {ended} of {total}
          </span>
        ) : (
          <span className={failed > 0 ? 'badge danger' : 'badge ok'}>
            {passed} passed, {failed} failed{skipped > 0 && `, ${skipped} skipped`}
          </span>
        )}
        {state === 'stopped' && <span className="badge warn">stopped</span>}
        {now !== undefined && (
          <span className="small muted">
            {visible(now.name)} · {visible(now.model)} · {now.run} of {now.runs}
          </span>
        )}
      </div>
      {state === 'running' && (
        <progress className="eval-progress" aria-label="Conversations" value={ended} max={total} />
      )}
    </div>
  )
}

function Exports({ suite }: { suite: string }): JSX.Element {
  const { problem, start } = useBusy()
  const save = (format: 'junit' | 'json'): Promise<void> =>
    start(async () => {
      const { name, text } = await run('evals.report', { suite, format })
      download(name, text)
    })
  return (
    <div className="row">
      <button type="button" className="button small" onClick={() => void save('json')}>
        Save as JSON
      </button>
      <button type="button" className="button small" onClick={() => void save('junit')}>
        Save as JUnit
      </button>
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </div>
  )
}
