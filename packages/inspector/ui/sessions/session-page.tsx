import type { JSX } from 'react'
import type { SessionView } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { download } from '../parts/files.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { type Tab, Tabs } from '../parts/tabs.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { goTo, hrefTo } from '../state/route.ts'
import { TimelineSource } from '../timeline/source.ts'
import { TimelineScreen } from '../timeline/timeline-screen.tsx'
import { CompareSessions } from './compare-sessions.tsx'
import { SessionText } from './session-text.tsx'

type Part = 'messages' | 'compare' | 'file'
const tabs: Tab<Part>[] = [
  { name: 'messages', label: 'Messages' },
  { name: 'compare', label: 'Compare' },
  { name: 'file', label: 'File' },
]

/** One session: its client and server, its messages, and its buttons. */
export function SessionPage({ session, part }: { session: SessionView; part: string | undefined }): JSX.Element {
  const { id, state } = session
  const chosen = tabs.find(({ name }) => name === part)?.name ?? 'messages'
  return (
    <div className="session-page">
      <SessionHead session={session} />
      {state === 'recording' ? (
        <p className="muted" role="status">
          {session.messages} messages so far. Stop the recording to look at it.
        </p>
      ) : (
        <Tabs label="About this session" tabs={tabs} chosen={chosen} choose={(name) => goTo('sessions', id, name)}>
          {chosen === 'messages' && (
            <div className="session-timeline">
              <TimelineSource value={id}>
                <TimelineScreen />
              </TimelineSource>
            </div>
          )}
          {chosen === 'compare' && <CompareSessions session={session} />}
          {chosen === 'file' && <SessionText key={id} id={id} />}
        </Tabs>
      )}
    </div>
  )
}

function SessionHead({ session }: { session: SessionView }): JSX.Element {
  const { id, name, state, serverInfo, clientInfo, revision, redacted, warnings } = session
  const { busy, problem, start } = useBusy()
  const save = (): Promise<void> =>
    start(async () => {
      const file = await run('session.text', { session: id })
      download(file.name.endsWith('.jsonl') ? file.name : `${file.name}.jsonl`, file.text)
    })
  const serve = (): Promise<void> =>
    start(async () => goTo('servers', (await run('session.serve', { session: id })).server))
  const remove = (): Promise<void> =>
    start(async () => {
      goTo('sessions')
      await run('session.remove', { session: id })
    })
  return (
    <header className="stack">
      <a className="button small back-link" href={hrefTo('sessions')}>
        ← All sessions
      </a>
      <div className="page-head">
        <div>
          <h1>{visible(serverInfo ?? name)}</h1>
          <div className="row small muted">
            <span>{visible(name)}</span>
            {revision !== undefined && <span className="badge accent">{visible(revision)}</span>}
            {clientInfo !== undefined && <span>with {visible(clientInfo)}</span>}
            {redacted !== undefined && redacted > 0 && <span>{redacted} values left out</span>}
          </div>
        </div>
        <div className="row">
          {state === 'recording' ? (
            <button
              type="button"
              className="button primary"
              disabled={busy}
              onClick={() => void start(() => run('session.stop', { session: id }))}
            >
              Stop recording
            </button>
          ) : (
            <>
              <button type="button" className="button primary" disabled={busy} onClick={() => void serve()}>
                Use as a server
              </button>
              <button type="button" className="button" disabled={busy} onClick={() => void save()}>
                Download
              </button>
            </>
          )}
          <button type="button" className="button danger" disabled={busy} onClick={() => void remove()}>
            Remove
          </button>
        </div>
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {warnings.map((warning) => (
        <div key={warning} className="notice warn">
          {visible(warning)}
        </div>
      ))}
    </header>
  )
}
