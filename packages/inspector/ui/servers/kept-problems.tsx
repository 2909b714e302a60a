import type { JSX } from 'react'
import { visible } from '../content/visible.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'

/** Why servers are not kept, and which of those that were cannot be used. */
export function KeptProblems(): JSX.Element {
  const kept = useBench((bench) => bench.kept)
  const { busy, problem, start } = useBusy()
  return (
    <>
      {kept.problem !== undefined && (
        <div className="notice danger" role="alert">
          <strong>Servers are not kept</strong>
          <span>{visible(kept.problem)}</span>
          {kept.broken && (
            <>
              <span>It is left as it is. Put it right and start the workbench again, or begin a new list.</span>
              <div>
                <button
                  type="button"
                  className="button"
                  disabled={busy}
                  onClick={() => void start(() => run('kept.startAnew', {}))}
                >
                  Put it aside and begin a new list
                </button>
              </div>
            </>
          )}
        </div>
      )}
      {kept.unusable.length > 0 && (
        <div className="notice warn">
          <strong>Not everything that is kept can be used</strong>
          {kept.unusable.map((text) => (
            <span key={text}>{visible(text)}</span>
          ))}
          <span className="muted">It stays in the file as it is.</span>
        </div>
      )}
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </>
  )
}
