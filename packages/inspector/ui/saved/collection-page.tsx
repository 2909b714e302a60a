import { type JSX, useState } from 'react'
import type { Collection } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { Dialog } from '../parts/dialog.tsx'
import { download } from '../parts/files.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { goTo, hrefTo } from '../state/route.ts'
import { dropCollection } from './collections.ts'
import { FileText } from './file-text.tsx'
import { RunControls } from './run-controls.tsx'

/** One file: run all its calls, see its text, take it along. */
export function CollectionPage({ collection }: { collection: Collection }): JSX.Element {
  const { id, title, problems } = collection
  const [editing, setEditing] = useState(problems.length > 0)
  const { problem, start } = useBusy()
  return (
    <div className="column stack wide">
      <header className="stack">
        <a className="button small back-link" href={hrefTo('saved')}>
          ← All saved calls
        </a>
        <div className="page-head">
          <div>
            <h1>{visible(title)}</h1>
            <div className="row small muted">
              <code>{visible(id)}</code>
              {collection.servers.length > 0 && <span>on {collection.servers.map(visible).join(', ')}</span>}
            </div>
          </div>
          <div className="row">
            <button
              type="button"
              className="button"
              onClick={() => void start(async () => download(id, (await run('saved.text', { collection: id })).text))}
            >
              Download
            </button>
            <button type="button" className="button" aria-pressed={editing} onClick={() => setEditing(!editing)}>
              Text
            </button>
            <DeleteButton id={id} />
          </div>
        </div>
      </header>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {problems.length > 0 && <FileProblems collection={collection} />}
      {editing && <FileText key={id} id={id} />}
      {problems.length === 0 && <RunControls collection={collection} />}
    </div>
  )
}

function FileProblems({ collection: { problems } }: { collection: Collection }): JSX.Element {
  return (
    <div className="notice danger">
      <strong>This file cannot be used yet</strong>
      <ul>
        {problems.map(({ line, column, message }) => (
          <li key={`${line} ${column} ${message}`}>
            <code>
              {line}:{column}
            </code>{' '}
            {visible(message)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function DeleteButton({ id }: { id: string }): JSX.Element {
  const [asked, setAsked] = useState(false)
  const { busy, problem, start } = useBusy()
  const remove = (): Promise<void> =>
    start(async () => {
      await run('saved.delete', { collection: id })
      goTo('saved')
      dropCollection(id)
    })
  return (
    <>
      <button type="button" className="button danger" onClick={() => setAsked(true)}>
        Delete
      </button>
      {asked && (
        <Dialog label="Delete this file?" close={() => setAsked(false)}>
          <div className="inside stack">
            <h1>Delete this file?</h1>
            <p>{visible(id)} and all its calls are gone then.</p>
            {problem !== undefined && <ProblemNotice problem={problem} />}
            <div className="row dialog-foot">
              <button type="button" className="button" onClick={() => setAsked(false)}>
                Keep it
              </button>
              <button type="button" className="button danger" disabled={busy} onClick={() => void remove()}>
                Delete the file
              </button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  )
}
