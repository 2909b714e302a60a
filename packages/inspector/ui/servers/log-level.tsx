import type { LoggingLevel } from '@tenon/sdk/client'
import { type JSX, useId } from 'react'
import type { ServerView } from '../../src/protocol.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'

const levels: readonly LoggingLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]

/** Which log messages the server shall send. They are in the timeline, as everything is. */
export function LogLevel({ server }: { server: ServerView }): JSX.Element | null {
  const id = useId()
  const { busy, problem, start } = useBusy()
  if (server.capabilities?.logging === undefined) return null
  return (
    <section className="card" aria-label="Logs">
      <div className="body stack">
        <div className="field">
          <label className="field-label" htmlFor={id}>
            Log messages from this level on
          </label>
          <select
            id={id}
            className="select"
            disabled={busy}
            value={server.logLevel ?? ''}
            onChange={(event) => {
              const level = event.target.value as LoggingLevel
              void start(() => run('server.setLogLevel', { server: server.id, level }))
            }}
          >
            {server.logLevel === undefined && <option value="">as the server likes</option>}
            {levels.map((level) => (
              <option key={level}>{level}</option>
            ))}
          </select>
        </div>
        {problem !== undefined && <ProblemNotice problem={problem} />}
      </div>
    </section>
  )
}
