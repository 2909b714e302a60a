import type { JSX } from 'react'
import type { SessionView } from '../../src/protocol.ts'
import { clock } from '../content/format.ts'
import { visible } from '../content/visible.ts'
import { Empty } from '../parts/empty.tsx'
import { Icon } from '../parts/icon.tsx'
import { OpenFile } from '../parts/open-file.tsx'
import { ServerFilter } from '../parts/server-filter.tsx'
import { Split } from '../parts/split.tsx'
import { run } from '../state/api.ts'
import { goTo, hrefTo, useParam, withParams } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { SessionPage } from './session-page.tsx'
import { TakeSession } from './take-session.tsx'

/** Sessions that are open or being recorded, and the one that is chosen. */
export function SessionsScreen({ id, part }: { id: string | undefined; part: string | undefined }): JSX.Element {
  const sessions = useBench((bench) => bench.sessions)
  const chosen = sessions.find((session) => session.id === id)
  const [only, setOnly] = useParam('server')
  const shown = only === undefined ? sessions : sessions.filter(({ server }) => server === only)
  return (
    <Split
      isChosen={chosen !== undefined}
      detail="session-pane"
      list={
        <nav className="list-pane" aria-label="Sessions">
          {chosen === undefined && <h1 className="visually-hidden">Sessions</h1>}
          <div className="list-head row">
            <OpenFile label="Open a file" accept=".jsonl,.ndjson,.json,.txt" take={open} />
            <TakeSession />
            {sessions.length > 0 && <ServerFilter only={only} choose={setOnly} />}
          </div>
          <div className="list-scroll">
            <ul>
              {shown.map((session) => (
                <li key={session.id}>
                  <SessionLink session={session} isChosen={session === chosen} only={only} />
                </li>
              ))}
            </ul>
            {shown.length < sessions.length && shown.length === 0 && (
              <p className="muted pane-note">No session is of this server.</p>
            )}
          </div>
        </nav>
      }
    >
      {chosen === undefined ? (
        <Empty title={sessions.length > 0 ? 'Choose a session' : 'No sessions yet'}>
          <p>
            A session file holds everything that a client and a server said. Open one, record a server, or make one of
            the timeline: then look through it, serve it again, or compare it with another.
          </p>
        </Empty>
      ) : (
        <SessionPage key={chosen.id} session={chosen} part={part} />
      )}
    </Split>
  )
}

async function open(name: string, text: string): Promise<void> {
  const { session } = await run('session.open', { name, text })
  goTo('sessions', session)
}

function SessionLink(props: { session: SessionView; isChosen: boolean; only: string | undefined }): JSX.Element {
  const { session, isChosen, only } = props
  const href = withParams(hrefTo('sessions', session.id), { server: only })
  return (
    <a className="list-item" href={href} aria-current={isChosen ? 'page' : undefined}>
      <Icon name="sessions" />
      <span className="title">
        {visible(session.serverInfo ?? session.name)}
        {session.state === 'recording' && <span className="badge danger">recording</span>}
      </span>
      <span className="about">
        {session.messages.toLocaleString('en')} messages · {clock(session.at)} · {visible(session.name)}
      </span>
    </a>
  )
}
