import { type JSX, useState } from 'react'
import type { CommandSpec, ServerView, UrlSpec } from '../../src/protocol.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { goTo } from '../state/route.ts'
import { DuplicateMenu } from './duplicate-menu.tsx'
import { HostFiles } from './host-files.tsx'
import { NextTime } from './keep-server.tsx'
import { removeServer } from './removed.tsx'
import { withNames } from './root-names.ts'
import { toDraft, toSpec } from './spec-draft.ts'
import { SpecForm } from './spec-form.tsx'
import { useConnect } from './use-connect.tsx'

/** How a server is reached, to be changed. */
export function ServerSettings({ server, spec }: { server: ServerView; spec: CommandSpec | UrlSpec }): JSX.Element {
  const [draft, setDraft] = useState(() => toDraft(spec))
  const [tried, setTried] = useState(false)
  const connect = useConnect()
  const { busy, problem, start } = useBusy()
  const save = async (): Promise<void> => {
    setTried(true)
    const read = toSpec(draft)
    if (read.problems !== undefined) return
    await start(async () => {
      await run('server.update', { server: server.id, spec: withNames(read.spec, spec) })
      await connect(server.id)
    })
  }
  const reveal = (): Promise<void> =>
    start(async () => {
      const revealed = (await run('server.reveal', { server: server.id })).spec
      if (revealed.kind !== 'session') setDraft(toDraft(revealed))
    })
  const remove = (): Promise<void> =>
    start(async () => {
      await removeServer(server)
      goTo('servers')
    })
  return (
    <div className="stack wide">
      <form
        className="card"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <header>
          <h2 className="grow">How it is reached</h2>
          <button type="button" className="button small quiet" onClick={() => void reveal()}>
            Show secrets
          </button>
        </header>
        <div className="body">
          <SpecForm draft={draft} change={setDraft} tried={tried} />
        </div>
        <footer className="form-foot">
          <button type="submit" className="button primary" disabled={busy}>
            Save and reconnect
          </button>
          <span className="grow" />
          {server.spec.kind === 'url' && (
            <button
              type="button"
              className="button quiet"
              onClick={() => void start(() => run('server.signOut', { server: server.id }))}
            >
              Sign out
            </button>
          )}
          <DuplicateMenu server={server} />
          <button type="button" className="button quiet danger" disabled={busy} onClick={() => void remove()}>
            Remove
          </button>
        </footer>
      </form>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <NextTime server={server} />
      <HostFiles key={server.id} server={server} />
    </div>
  )
}
