import { type JSX, useEffect, useRef } from 'react'
import type { DiagnosisStep, ServerView } from '../../src/protocol.ts'
import { duration } from '../content/format.ts'
import { visible } from '../content/visible.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'

const marks: { [Status in DiagnosisStep['status']]: [mark: string, words: string] } = {
  ok: ['✓', 'works'],
  warning: ['!', 'look here'],
  failed: ['✕', 'fails'],
  skipped: ['–', 'not tried'],
}

/** The diagnosis of a connection, step by step: the steps that work, the one that fails, and a hint. */
export function Diagnosis({ server }: { server: ServerView }): JSX.Element {
  const diagnosis = useBench((bench) => bench.diagnoses.get(server.id))
  const { busy, problem, start } = useBusy()
  const begun = useRef(false)
  const diagnose = (): Promise<void> => start(() => run('server.diagnose', { server: server.id }))
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    void start(() => run('server.diagnose', { server: server.id }))
  }, [server.id, start])
  return (
    <section className="stack" aria-label="Diagnosis">
      <div className="row">
        <p className="muted grow">Each step on the way to the server, in order. The first that fails is the cause.</p>
        <button type="button" className="button" disabled={busy} onClick={() => void diagnose()}>
          {busy ? 'Looking…' : 'Look again'}
        </button>
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <ol className="steps" aria-busy={busy}>
        {diagnosis?.steps.map((step) => (
          <li key={step.name} className={`step ${step.status}`} data-step={step.name}>
            <span className="step-mark" aria-hidden="true">
              {marks[step.status][0]}
            </span>
            <div>
              <div className="row">
                <strong>{step.title}</strong>
                <span className="visually-hidden">{marks[step.status][1]}</span>
                {step.durationMs !== undefined && <span className="small muted">{duration(step.durationMs)}</span>}
              </div>
              <p className="pre-line">{visible(step.detail)}</p>
              {step.hint !== undefined && <p className="muted">{visible(step.hint)}</p>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
