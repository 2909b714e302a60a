import type { JSX } from 'react'
import { visible } from '../content/visible.ts'
import { Empty } from '../parts/empty.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { hrefTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'

/** A task that an address names and that is not known here. It is read from the server only if a person wants that. */
export function UnknownTask({ server, id }: { server: string; id: string }): JSX.Element {
  const owner = useBench((bench) => bench.servers.find((known) => known.id === server))
  const { busy, problem, start } = useBusy()
  return (
    <div className="column stack">
      <a className="button small back-link" href={hrefTo('tasks')}>
        ← All tasks
      </a>
      <Empty alone title="This task is not known here">
        <p>
          <code className="task-id">{visible(id)}</code>
        </p>
        {owner === undefined ? (
          <p>Its server was removed.</p>
        ) : (
          <button
            type="button"
            className="button primary"
            disabled={busy || owner.status !== 'connected'}
            onClick={() => void start(() => run('task.follow', { server, task: id }))}
          >
            Ask {visible(owner.spec.name)} for it
          </button>
        )}
      </Empty>
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </div>
  )
}
