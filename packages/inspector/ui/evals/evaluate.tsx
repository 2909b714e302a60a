import { type JSX, useId, useState } from 'react'
import type { EvalCaseView, EvalSuite } from '../../src/protocol.ts'
import { RunSection } from '../files/run-section.tsx'
import { Unread } from '../form/draft.ts'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { hrefTo } from '../state/route.ts'
import { NumberField } from './checks-editor.tsx'
import { EvalResults } from './eval-results.tsx'
import { useEvaluation } from './use-evaluation.ts'

interface Props {
  suite: EvalSuite
  /** Only this one. */
  only?: EvalCaseView
  /** False while the form above shows no case that could be run. */
  isReady?: boolean
  /** Runs first, such as saving. */
  before?: () => Promise<unknown>
}

/** Runs a file, or one case of it: the models, how often, and the results. */
export function Evaluate({ suite, only, isReady = true, before }: Props): JSX.Element {
  const id = useId()
  const [models, setModels] = useState(suite.models.join(' ') || 'offline')
  const [runs, setRuns] = useState<unknown>()
  const state = useEvaluation(suite.id)
  const { busy, problem, start } = useBusy()
  const begin = (): Promise<void> =>
    start(async () => {
      await before?.()
      await run('evals.run', {
        suite: suite.id,
        models: models.split(/[\s,]+/).filter(Boolean),
        ...(runs !== undefined && { runs: runs as number }),
        ...(only && { cases: [only.index] }),
      })
    })
  const challenge = state?.run.challenge
  const isEmpty = suite.cases.length === 0
  return (
    <RunSection
      fields={
        <>
          <div className="row model-fields">
            <div className="field grow">
              <label htmlFor={id}>Models</label>
              <input
                id={id}
                className="input mono"
                autoComplete="off"
                spellCheck={false}
                placeholder="offline anthropic/claude-sonnet-5-5"
                value={models}
                onChange={(event) => setModels(event.target.value)}
              />
            </div>
            <NumberField label="Runs" placeholder={String(suite.runs)} value={runs} change={setRuns} />
          </div>
          <p className="small muted">
            “offline” is a script that needs no key. Keys of other models are kept in the{' '}
            <a href={hrefTo('playground')}>Playground</a>.
          </p>
        </>
      }
      label={only === undefined ? 'Run all' : 'Run'}
      isRunning={state?.run.state === 'running'}
      isDisabled={busy || !isReady || isEmpty || runs instanceof Unread || models.trim() === ''}
      begin={() => void begin()}
      stop={() => void run('evals.stop', { suite: suite.id })}
      note={isEmpty && <span className="small muted">The file has no cases yet.</span>}
      problem={problem}
      challenge={challenge}
      agree={(agreed) => run('evals.agree', { suite: suite.id, challenge: challenge!.id, agreed })}
    >
      {state !== undefined && <EvalResults suite={suite} state={state} only={only?.name} />}
    </RunSection>
  )
}
