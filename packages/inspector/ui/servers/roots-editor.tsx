import type { Root } from '@tenon/sdk/client'
import { type JSX, useState } from 'react'
import type { ServerView } from '../../src/protocol.ts'
import { clock } from '../content/format.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'

/** A root as it is typed; the key stays with its row. */
interface Draft {
  key: number
  uri: string
  name: string
}

let nextKey = 1
const toDraft = ({ uri, name = '' }: Root): Draft => ({ key: nextKey++, uri, name })
const toRoot = ({ uri, name }: Draft): Root => ({ uri, ...(name.trim() !== '' && { name }) })

/** The folders that a server may know of, changed while it is connected. */
export function RootsEditor({ server }: { server: ServerView }): JSX.Element {
  const { roots = [] } = server.spec
  const [drafts, setDrafts] = useState(() => roots.map(toDraft))
  const [savedAt, setSavedAt] = useState<number>()
  const { busy, problem, start, clear } = useBusy()
  const isChanged = JSON.stringify(drafts.map(toRoot)) !== JSON.stringify(roots)
  const change = (next: Draft[]): void => {
    setDrafts(next)
    setSavedAt(undefined)
    clear()
  }
  const save = (): Promise<void> =>
    start(async () => {
      const wanted = drafts.filter(({ uri }) => uri.trim() !== '')
      setDrafts(wanted)
      const made = await run('server.setRoots', { server: server.id, roots: wanted.map(toRoot) })
      setDrafts(made.roots.map(toDraft))
      setSavedAt(Date.now())
    })
  const wrongRow = problem && rowIn(problem.message)
  return (
    <form
      className="card"
      aria-label="Roots"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <header>
        <h2 className="grow">Roots</h2>
        <AskedAt server={server} />
      </header>
      <div className="body stack">
        <p className="muted">
          Folders and files of this computer that the server may know of. It decides by itself how it uses them.
        </p>
        {drafts.map((draft, index) => (
          <RootRow
            key={draft.key}
            draft={draft}
            index={index}
            isWrong={wrongRow === index}
            change={(part) => change(drafts.map((other) => (other === draft ? { ...draft, ...part } : other)))}
            remove={() => change(drafts.filter((other) => other !== draft))}
          />
        ))}
        {drafts.length === 0 && <p>There are none.</p>}
        <div>
          <button type="button" className="button small" onClick={() => change([...drafts, toDraft({ uri: '' })])}>
            Add a root
          </button>
        </div>
        {problem !== undefined && <ProblemNotice problem={{ ...problem, message: forPeople(problem.message) }} />}
      </div>
      <footer className="form-foot">
        <button type="submit" className="button primary" disabled={busy || !isChanged}>
          Save roots
        </button>
        <span className="small muted" role="status">
          {savedAt !== undefined && !isChanged && `Saved at ${clock(savedAt)}. ${whatItKnows(server)}`}
        </span>
      </footer>
    </form>
  )
}

const place = /^roots\[(\d+)\]\.uri: /

/** Which root a problem is about. */
const rowIn = (message: string): number | undefined => {
  const digits = place.exec(message)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** People count from one. */
const forPeople = (message: string): string => message.replace(place, (_, at) => `Root ${Number(at) + 1}: `)

/** When the server gets the new roots: only sessions have a notification for that. */
function whatItKnows({ status, facts }: ServerView): string {
  if (status !== 'connected') return 'The server gets them when it is connected and asks.'
  return facts?.rootsListChanged
    ? 'The server was told that they are others now.'
    : 'The server gets them when it asks next: in this revision there is no message that would tell it.'
}

function AskedAt({ server: { rootsAskedAt, status } }: { server: ServerView }): JSX.Element | null {
  if (status !== 'connected') return null
  return (
    <span className="small muted">
      {rootsAskedAt === undefined ? 'the server has not asked for them' : `last asked for at ${clock(rootsAskedAt)}`}
    </span>
  )
}

interface RowProps {
  draft: Draft
  index: number
  isWrong: boolean
  change: (part: Partial<Draft>) => void
  remove: () => void
}

/** A new root is there to be typed. */
const focusNew = (input: HTMLInputElement | null): void => {
  if (input?.value === '') input.focus()
}

function RootRow({ draft, index, isWrong, change, remove }: RowProps): JSX.Element {
  const number = index + 1
  return (
    <fieldset className="bare root-row">
      <legend className="visually-hidden">Root {number}</legend>
      <input
        className="input mono"
        aria-label={`Path or URI of root ${number}`}
        placeholder="/some/folder or file:///some/folder"
        aria-invalid={isWrong}
        ref={focusNew}
        spellCheck={false}
        autoComplete="off"
        value={draft.uri}
        onChange={(event) => change({ uri: event.target.value })}
      />
      <input
        className="input"
        aria-label={`Name of root ${number}`}
        placeholder="Name, if it needs one"
        autoComplete="off"
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <button type="button" className="button small quiet" aria-label={`Remove root ${number}`} onClick={remove}>
        Remove
      </button>
    </fieldset>
  )
}
