import type { JSX } from 'react'
import type { SessionSpec } from '../../src/protocol.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { goTo, hrefTo } from '../state/route.ts'

/** A server that is a recording: it has no settings, and a link to its session. */
export function RecordedSettings({ server, spec }: { server: string; spec: SessionSpec }): JSX.Element {
  const { busy, problem, start } = useBusy()
  const remove = (): Promise<void> =>
    start(async () => {
      await run('server.remove', { server })
      goTo('sessions', spec.session)
    })
  return (
    <div className="card">
      <div className="body stack">
        <p>
          This server gives the recorded answers, and refuses all other requests.{' '}
          <a href={hrefTo('sessions', spec.session)}>Look at the recording</a>
        </p>
        {problem !== undefined && <ProblemNotice problem={problem} />}
        <div>
          <button type="button" className="button danger" disabled={busy} onClick={() => void remove()}>
            Remove
          </button>
        </div>
      </div>
    </div>
  )
}
