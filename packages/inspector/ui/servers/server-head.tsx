import type { JSX } from 'react'
import type { ServerView } from '../../src/protocol.ts'
import { visible, visibleLine } from '../content/visible.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { RecordButton } from '../sessions/record-button.tsx'
import { run } from '../state/api.ts'
import { KeepButton, KeptBadge } from './keep-server.tsx'
import { serverStatusWords, targetLine } from './status-words.ts'
import { useConnect } from './use-connect.tsx'

/** The name of a server, its status, and its buttons. */
export function ServerHead({ server }: { server: ServerView }): JSX.Element {
  const connect = useConnect()
  const { busy, problem, start } = useBusy()
  const isOn = server.status === 'connected' || server.status === 'connecting'
  return (
    <header className="stack">
      <div className="page-head">
        <div>
          <h1>{visible(server.info?.title ?? server.spec.name)}</h1>
          <div className="row small muted">
            <span className={`dot ${server.status}`} />
            <span role="status">{serverStatusWords[server.status]}</span>
            {server.revision !== undefined && <span className="badge accent">{server.revision}</span>}
          </div>
          <div className="small muted mono target" title={targetLine(server)}>
            {visibleLine(targetLine(server))}
          </div>
          <div className="row kept-line">
            <KeptBadge server={server} />
            <KeepButton server={server} small />
          </div>
        </div>
        <div className="row">
          {isOn && server.spec.kind !== 'session' && <RecordButton server={server} />}
          {isOn && (
            <button
              type="button"
              className="button"
              disabled={busy}
              onClick={() => void start(() => run('server.disconnect', { server: server.id }))}
            >
              Disconnect
            </button>
          )}
          <button
            type="button"
            className={isOn ? 'button' : 'button primary'}
            disabled={busy}
            onClick={() => void start(() => connect(server.id))}
          >
            {isOn ? 'Reconnect' : 'Connect'}
          </button>
        </div>
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {server.missing !== undefined && problem === undefined && (
        <p className="notice warn">
          <strong>Some secrets are not known any more</strong>
          <span>{visibleLine(server.missing.join(', '))}</span>
          <span className="muted">Give them under Settings before you connect.</span>
        </p>
      )}
    </header>
  )
}
