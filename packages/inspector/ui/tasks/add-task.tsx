import { type JSX, useId, useState } from 'react'
import { visible } from '../content/visible.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { goTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { taskSettings } from './task-support.ts'

/** Adds a task that was started elsewhere, by its id. */
export function AddTask(): JSX.Element | null {
  const servers = useBench((bench) => bench.servers)
  const [isOpen, setOpen] = useState(false)
  const offering = servers.filter((server) => server.status === 'connected' && taskSettings(server) !== undefined)
  if (offering.length === 0) return null
  return (
    <>
      <button type="button" className="button small" onClick={() => setOpen(true)}>
        Add by id
      </button>
      {isOpen && (
        <Dialog label="Add a task by its id" close={() => setOpen(false)}>
          <AddForm servers={offering.map(({ id, spec }) => ({ id, name: spec.name }))} close={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  )
}

interface FormProps {
  servers: readonly { id: string; name: string }[]
  close: () => void
}

function AddForm({ servers, close }: FormProps): JSX.Element {
  const id = useId()
  const [server, setServer] = useState(servers[0]!.id)
  const [task, setTask] = useState('')
  const { busy, problem, start } = useBusy()
  const add = (): Promise<void> =>
    start(async () => {
      await run('task.follow', { server, task })
      close()
      goTo('tasks', server, task.trim())
    })
  return (
    <form
      className="inside stack"
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      <h2>Add a task by its id</h2>
      <p className="muted">
        A task that was started elsewhere, or before a restart, goes on as long as its server keeps it.
      </p>
      <div className="field">
        <label className="field-label" htmlFor={`${id}-server`}>
          Server
        </label>
        <select
          id={`${id}-server`}
          className="select"
          value={server}
          onChange={(event) => setServer(event.target.value)}
        >
          {servers.map((one) => (
            <option key={one.id} value={one.id}>
              {visible(one.name)}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label className="field-label" htmlFor={`${id}-task`}>
          Task id
        </label>
        <input
          id={`${id}-task`}
          className="input mono"
          autoComplete="off"
          spellCheck={false}
          value={task}
          onChange={(event) => setTask(event.target.value)}
        />
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <div className="row dialog-foot">
        <button type="button" className="button" onClick={close}>
          Close
        </button>
        <button type="submit" className="button primary" disabled={busy || task.trim() === ''}>
          Add
        </button>
      </div>
    </form>
  )
}
