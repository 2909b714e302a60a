import type { LoggingLevel } from '@tenon/sdk/client'
import { type JSX, useId } from 'react'
import type { ServerView } from '../../src/protocol.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'

/** From the least severe on. */
export const levels: readonly LoggingLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]

/** Which log messages the server shall send. */
export function LogLevel({ server }: { server: ServerView }): JSX.Element | null {
  const id = useId()
  const { busy, problem, start } = useBusy()
  if (server.capabilities?.logging === undefined) return null
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        Server sends from
      </label>
      <select
        id={id}
        className="select"
        disabled={busy || server.status !== 'connected'}
        value={server.logLevel ?? ''}
        onChange={(event) => {
          const level = event.target.value as LoggingLevel
          void start(() => run('server.setLogLevel', { server: server.id, level }))
        }}
      >
        {server.logLevel === undefined && <option value="">as it likes</option>}
        {levels.map((level) => (
          <option key={level}>{level}</option>
        ))}
      </select>
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </div>
  )
}
