import { type JSX, useRef } from 'react'
import type { ServerView } from '../../src/protocol.ts'
import { visibleLine } from '../content/visible.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { goTo } from '../state/route.ts'
import { useBench } from '../state/store.ts'
import { useConnect } from './use-connect.tsx'

/** The same server once more: choosing the revision is all that is needed. */
export function DuplicateMenu({ server, small }: { server: ServerView; small?: boolean }): JSX.Element {
  const menu = useRef<HTMLDetailsElement>(null)
  const connect = useConnect()
  const revisions = useBench((bench) => bench.revisions)
  const { busy, problem, start } = useBusy()
  const duplicate = (revision: string | null | undefined): Promise<void> =>
    start(async () => {
      menu.current?.removeAttribute('open')
      const copy = await run('list.duplicate', { server: server.id, ...(revision !== undefined && { revision }) })
      goTo('servers', copy.server)
      await connect(copy.server)
    })
  return (
    <>
      <details
        ref={menu}
        className="menu"
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          menu.current?.removeAttribute('open')
          menu.current?.querySelector('summary')?.focus()
        }}
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.removeAttribute('open')
        }}
      >
        <summary
          className={small ? 'button small' : 'button'}
          aria-label={`Duplicate ${visibleLine(server.spec.name)}`}
        >
          Duplicate <span aria-hidden>▾</span>
        </summary>
        <ul className="menu-list">
          <MenuItem label="As it is" busy={busy} choose={() => duplicate(undefined)} />
          <MenuItem label="Newest revision" busy={busy} choose={() => duplicate(null)} />
          {revisions.map((revision) => (
            <MenuItem key={revision} label={revision} busy={busy} choose={() => duplicate(revision)} />
          ))}
        </ul>
      </details>
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </>
  )
}

function MenuItem(props: { label: string; busy: boolean; choose: () => Promise<void> }): JSX.Element {
  return (
    <li>
      <button type="button" className="button quiet" disabled={props.busy} onClick={() => void props.choose()}>
        {props.label}
      </button>
    </li>
  )
}
