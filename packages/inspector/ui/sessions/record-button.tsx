import type { JSX } from 'react'
import type { ServerView } from '../../src/protocol.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { goTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'

/** Records the messages of a server, until it is pressed again. */
export function RecordButton({ server }: { server: ServerView }): JSX.Element {
  const { busy, problem, start } = useBusy()
  const running = useBench((bench) =>
    bench.sessions.find((session) => session.server === server.id && session.state === 'recording'),
  )
  const toggle = (): Promise<void> =>
    start(async () => {
      if (running === undefined) await run('session.record', { server: server.id })
      else {
        await run('session.stop', { session: running.id })
        goTo('sessions', running.id)
      }
    })
  return (
    <>
      <button
        type="button"
        className="button"
        aria-pressed={running !== undefined}
        disabled={busy}
        onClick={() => void toggle()}
      >
        <span className={running === undefined ? 'record-dot' : 'record-dot on'} />
        {running === undefined ? 'Record' : `Stop recording (${running.messages})`}
      </button>
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </>
  )
}
