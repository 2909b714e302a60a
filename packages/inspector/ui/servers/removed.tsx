import { type JSX, useSyncExternalStore } from 'react'
import type { ServerView } from '../../src/protocol.ts'
import { visibleLine } from '../content/visible.ts'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { goTo } from '../state/route.ts'

type Removed = Pick<ServerView, 'id' | 'spec'>

let removed: Removed | undefined
const listeners = new Set<() => void>()

function set(next: Removed | undefined): void {
  removed = next
  for (const listener of listeners) listener()
}

/** Removes a server; for a while it can be brought back. */
export async function removeServer({ id, spec }: Removed): Promise<void> {
  await run('server.remove', { server: id })
  set({ id, spec })
}

const useRemoved = (): Removed | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => removed,
  )

/** Says which server was removed, and brings it back. It stays until it is answered. */
export function UndoRemoval(): JSX.Element {
  const server = useRemoved()
  const { busy, problem, start } = useBusy()
  const undo = (id: string): Promise<void> =>
    start(async () => {
      const back = await run('list.restore', { server: id })
      set(undefined)
      goTo('servers', back.server)
    })
  return (
    <div role="status" className={server === undefined ? 'undo' : 'undo shown'}>
      {server !== undefined && (
        <>
          <span className="grow">
            {problem === undefined ? `${visibleLine(server.spec.name)} was removed` : visibleLine(problem.message)}
          </span>
          {problem === undefined && (
            <button
              key={server.id}
              type="button"
              className="button small"
              // biome-ignore lint/a11y/noAutofocus: the focused element is gone, and this one replaces it.
              autoFocus
              disabled={busy}
              onClick={() => void undo(server.id)}
            >
              Undo
            </button>
          )}
          <button
            type="button"
            className="button small quiet icon"
            aria-label="Close this message"
            onClick={() => set(undefined)}
          >
            ✕
          </button>
        </>
      )}
    </div>
  )
}
