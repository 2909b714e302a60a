import { type JSX, useRef, useState } from 'react'
import type { ServerView } from '../../src/protocol.ts'
import { visibleLine } from '../content/visible.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { hrefTo } from '../state/route.ts'
import { DuplicateMenu } from './duplicate-menu.tsx'
import { KeepButton, KeptBadge } from './keep-server.tsx'
import { removeServer } from './removed.tsx'
import { serverStatusWords, targetLine } from './status-words.ts'
import { useMove } from './use-move.ts'

interface Props {
  server: ServerView
  index: number
  count: number
}

/** A server in the list, with everything that can be done to it there. */
export function ServerRow({ server, index, count }: Props): JSX.Element {
  const [renaming, setRenaming] = useState(false)
  const { busy, problem, start } = useBusy()
  const rename = useRef<HTMLButtonElement>(null)
  const renamed = (): void => {
    setRenaming(false)
    rename.current?.focus()
  }
  const name = visibleLine(server.spec.name)
  return (
    <li className="server-row">
      <MoveButtons server={server} index={index} count={count} />
      <div className="grow server-row-about">
        {renaming ? (
          <RenameForm server={server} done={renamed} />
        ) : (
          <div className="row">
            <span className={`dot ${server.status}`} />
            <a href={hrefTo('servers', server.id)}>
              <strong>{name}</strong>
            </a>
            <span className="small muted">{serverStatusWords[server.status]}</span>
            {server.spec.revision !== undefined && <span className="badge accent">{server.spec.revision}</span>}
            <KeptBadge server={server} />
            {server.atStart && <span className="badge">connects at start</span>}
            {server.missing !== undefined && <span className="badge warn">secrets are missing</span>}
          </div>
        )}
        <div className="small muted mono target" title={targetLine(server)}>
          {visibleLine(targetLine(server))}
        </div>
        {problem !== undefined && <ProblemNotice problem={problem} />}
      </div>
      <div className="row">
        <KeepButton server={server} small />
        <button
          ref={rename}
          type="button"
          className="button small"
          aria-label={`Rename ${name}`}
          aria-expanded={renaming}
          onClick={() => setRenaming(!renaming)}
        >
          Rename
        </button>
        <DuplicateMenu server={server} small />
        <button
          type="button"
          className="button small danger"
          aria-label={`Remove ${name}`}
          disabled={busy}
          onClick={() => void start(() => removeServer(server))}
        >
          Remove
        </button>
      </div>
    </li>
  )
}

/** They stay focusable at the ends of the list, so that a key that is pressed too often leads nowhere else. */
function MoveButtons({ server, index, count }: Props): JSX.Element {
  const move = useMove(server.id, index)
  const name = visibleLine(server.spec.name)
  return (
    <div className="move-buttons">
      <button
        type="button"
        className="button small quiet icon"
        aria-label={`Move ${name} up`}
        aria-disabled={index === 0}
        onClick={(event) => move(-1, event.currentTarget)}
      >
        ↑
      </button>
      <button
        type="button"
        className="button small quiet icon"
        aria-label={`Move ${name} down`}
        aria-disabled={index === count - 1}
        onClick={(event) => move(1, event.currentTarget)}
      >
        ↓
      </button>
    </div>
  )
}

function RenameForm({ server, done }: { server: ServerView; done: () => void }): JSX.Element {
  const [name, setName] = useState(server.spec.name)
  const { busy, problem, start } = useBusy()
  const save = (): Promise<void> =>
    start(async () => {
      await run('list.rename', { server: server.id, name })
      done()
    })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') done()
      }}
    >
      <div className="row">
        <input
          className="input grow"
          aria-label={`New name of ${visibleLine(server.spec.name)}`}
          // biome-ignore lint/a11y/noAutofocus: a new name is there to be typed.
          autoFocus
          spellCheck={false}
          maxLength={100}
          value={name}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => setName(event.target.value)}
        />
        <button type="submit" className="button small primary" disabled={busy || name.trim() === ''}>
          Save
        </button>
        <button type="button" className="button small" onClick={done}>
          Cancel
        </button>
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </form>
  )
}
