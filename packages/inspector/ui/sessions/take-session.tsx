import { type JSX, useId, useState } from 'react'
import { visible } from '../content/visible.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { goTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'

/** Makes a session of the messages of a server in the timeline. */
export function TakeSession({ className = 'button' }: { className?: string }): JSX.Element | null {
  const hasServers = useBench((bench) => bench.servers.length > 0)
  const [open, setOpen] = useState(false)
  if (!hasServers) return null
  return (
    <>
      <button type="button" className={className} onClick={() => setOpen(true)}>
        Session from timeline
      </button>
      {open && <TakeSessionDialog close={() => setOpen(false)} />}
    </>
  )
}

/** Asks for the server whose messages are meant. */
export function TakeSessionDialog({ close }: { close: () => void }): JSX.Element | null {
  const id = useId()
  const servers = useBench((bench) => bench.servers)
  const [chosen, setChosen] = useState<string>()
  const { busy, problem, start } = useBusy()
  const server = chosen ?? servers[0]?.id
  if (server === undefined) return null
  const take = (): Promise<void> =>
    start(async () => {
      const { session } = await run('session.take', { server })
      close()
      goTo('sessions', session)
    })
  return (
    <Dialog label="Make a session of the timeline" close={close}>
      <div className="inside stack">
        <h1>Make a session of the timeline</h1>
        <p>All messages of a server that are still kept. Values that look secret are left out.</p>
        <div className="field">
          <label htmlFor={id}>Server</label>
          <select id={id} className="select" value={server} onChange={(event) => setChosen(event.target.value)}>
            {servers.map(({ id: known, spec }) => (
              <option key={known} value={known}>
                {visible(spec.name)}
              </option>
            ))}
          </select>
        </div>
        {problem !== undefined && <ProblemNotice problem={problem} />}
        <div className="row dialog-foot">
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
          <button type="button" className="button primary" disabled={busy} onClick={() => void take()}>
            Make it
          </button>
        </div>
      </div>
    </Dialog>
  )
}
