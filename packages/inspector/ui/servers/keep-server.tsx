import type { JSX } from 'react'
import type { ServerView } from '../../src/protocol.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'

/** Whether a server can be kept at all. */
const useCanKeep = (server: ServerView): boolean => useBench(({ kept }) => kept.keeps) && server.spec.kind !== 'session'

/** Whether a server is there the next time. */
export function KeptBadge({ server }: { server: ServerView }): JSX.Element | null {
  if (!useCanKeep(server)) return null
  return server.kept ? (
    <span className="badge ok">kept</span>
  ) : (
    <span className="badge" title="It is gone when the workbench ends">
      not kept
    </span>
  )
}

/** Offers to keep a server that is not. */
export function KeepButton({ server, small }: { server: ServerView; small?: boolean }): JSX.Element | null {
  const { busy, problem, start } = useBusy()
  if (!useCanKeep(server) || server.kept) return null
  return (
    <>
      <button
        type="button"
        className={small ? 'button small' : 'button'}
        disabled={busy}
        onClick={() => void start(() => run('kept.keep', { server: server.id, keep: true }))}
      >
        Keep this server
      </button>
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </>
  )
}

/** Whether a server is kept when the workbench ends. */
export function NextTime({ server }: { server: ServerView }): JSX.Element | null {
  const { busy, problem, start } = useBusy()
  if (!useCanKeep(server)) return null
  const { id, kept = false, atStart = false } = server
  return (
    <section className="card" aria-label="The next time">
      <header>
        <h2>The next time</h2>
      </header>
      <div className="body stack">
        <label className="row">
          <input
            type="checkbox"
            checked={kept}
            disabled={busy}
            onChange={() => void start(() => run('kept.keep', { server: id, keep: !kept }))}
          />
          Keep this server
        </label>
        {server.spec.kind === 'url' ? (
          <label className="row">
            <input
              type="checkbox"
              checked={atStart}
              disabled={busy || !kept}
              onChange={() => void start(() => run('kept.atStart', { server: id, on: !atStart }))}
            />
            Connect it when the workbench starts
          </label>
        ) : (
          <p className="small muted">
            A program is never started by itself. Once you have agreed to it, Connect starts exactly this one without
            asking again.
          </p>
        )}
        {problem !== undefined && <ProblemNotice problem={problem} />}
      </div>
    </section>
  )
}
