import type { JSX } from 'react'
import type { SessionView } from '../../src/protocol.ts'
import { clock } from '../content/format.ts'
import { visible } from '../content/visible.ts'
import { Empty } from '../parts/empty.tsx'
import { OpenFile } from '../parts/open-file.tsx'
import { run } from '../state/api.ts'
import { goTo, hrefTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { SessionPage } from './session-page.tsx'
import { TakeSession } from './take-session.tsx'

/** Sessions that are open or being recorded, and the one that is chosen. */
export function SessionsScreen({ id, part }: { id: string | undefined; part: string | undefined }): JSX.Element {
  const sessions = useBench((bench) => bench.sessions)
  const chosen = sessions.find((session) => session.id === id)
  return (
    <div className={chosen === undefined ? 'split' : 'split chosen'}>
      <nav className="list-pane" aria-label="Sessions">
        {chosen === undefined && <h1 className="visually-hidden">Sessions</h1>}
        <div className="list-head row">
          <OpenFile label="Open a file" accept=".jsonl,.ndjson,.json,.txt" take={open} />
          <TakeSession />
        </div>
        <div className="list-scroll">
          <ul>
            {sessions.map((session) => (
              <li key={session.id}>
                <SessionLink session={session} isChosen={session === chosen} />
              </li>
            ))}
          </ul>
        </div>
      </nav>
      <div className="detail-pane session-pane">
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
      </div>
    </div>
  )
}

async function open(name: string, text: string): Promise<void> {
  const { session } = await run('session.open', { name, text })
  goTo('sessions', session)
}

function SessionLink({ session, isChosen }: { session: SessionView; isChosen: boolean }): JSX.Element {
  return (
    <a className="list-item" href={hrefTo('sessions', session.id)} aria-current={isChosen ? 'page' : undefined}>
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
