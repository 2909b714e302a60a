import { type JSX, useId, useState } from 'react'
import type { SessionDiff, SessionView } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'
import { DiffView } from './diff-view.tsx'

/** Chooses another session, and shows how this one differs from it. */
export function CompareSessions({ session }: { session: SessionView }): JSX.Element {
  const id = useId()
  const sessions = useBench((bench) => bench.sessions)
  const others = sessions.filter((other) => other.id !== session.id && other.state === 'whole')
  const [chosen, setChosen] = useState<string>()
  const [diff, setDiff] = useState<SessionDiff>()
  const { busy, problem, start } = useBusy()
  const before = chosen ?? others[0]?.id
  if (before === undefined) {
    return <p className="muted session-note">There is no other session yet. Open one, or record one.</p>
  }
  const compare = (): Promise<void> =>
    start(async () => setDiff((await run('session.diff', { before, after: session.id })).diff))
  return (
    <div className="stack session-note">
      <div className="row">
        <label htmlFor={id}>Before</label>
        <select
          id={id}
          className="select run-server"
          value={before}
          onChange={(event) => {
            setChosen(event.target.value)
            setDiff(undefined)
          }}
        >
          {others.map((other) => (
            <option key={other.id} value={other.id}>
              {visible(other.serverInfo ?? '')} {visible(other.name)}
            </option>
          ))}
        </select>
        <span className="muted">and after: this session</span>
        <button type="button" className="button primary" disabled={busy} onClick={() => void compare()}>
          Compare
        </button>
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {diff !== undefined && <DiffView diff={diff} />}
    </div>
  )
}
