import type { JSX } from 'react'
import { visible } from '../content/visible.ts'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'
import { listsTasks } from './task-support.ts'

/** Reads the tasks again, from the servers that list them. */
export function ListTasks(): JSX.Element | null {
  const servers = useBench((bench) => bench.servers)
  const { busy, problem, start } = useBusy()
  const listing = servers.filter(listsTasks)
  if (listing.length === 0) return null
  const list = (): Promise<unknown> => Promise.all(listing.map(({ id }) => run('task.list', { server: id })))
  return (
    <>
      <button type="button" className="button small" disabled={busy} onClick={() => void start(list)}>
        Refresh
      </button>
      {problem !== undefined && <span className="issue small">{visible(problem.message)}</span>}
    </>
  )
}
