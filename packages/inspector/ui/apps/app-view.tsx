import { appUriOf } from '@tenon/sdk/apps/host'
import type { Tool } from '@tenon/sdk/client'
import { type JSX, useState } from 'react'
import type { Call } from '../../src/protocol.ts'
import { JsonTree } from '../content/json-tree.tsx'
import { visible } from '../content/visible.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import type { AppNote } from './app-notes.ts'
import { useApp, type WantedLink } from './use-app.ts'

/** The view that a server sends along with a tool, in its sandbox, and everything that it said. */
export function AppView({ call, tool }: { call: Call; tool: Tool }): JSX.Element {
  const [isOutsideAllowed, allowOutside] = useState(false)
  const { container, notes, wishes, link, problem } = useApp(call, tool, isOutsideAllowed)
  return (
    <section className="card app-view" aria-label="View">
      <header>
        <h2>View</h2>
        <code className="small muted grow">{visible(appUriOf(tool) ?? '')}</code>
        <span className="badge">made by the server</span>
      </header>
      <div className="body stack">
        {wishes.length > 0 && (
          <div className="notice warn">
            <strong>{isOutsideAllowed ? 'The view may reach' : 'The view would like to reach'}</strong>
            <span>{visible(wishes.join(', '))}</span>
            <button type="button" className="button small" onClick={() => allowOutside(!isOutsideAllowed)}>
              {isOutsideAllowed ? 'Forbid it' : 'Allow it'}
            </button>
          </div>
        )}
        {link !== undefined && <LinkWish link={link} />}
        <div ref={container} className="app-frame" />
        {problem !== undefined && <ProblemNotice problem={problem} />}
        <NoteList notes={notes} />
      </div>
    </section>
  )
}

function LinkWish({ link: { href, decide } }: { link: WantedLink }): JSX.Element {
  return (
    <div className="notice">
      <strong>The view wants to open a page</strong>
      <code>{visible(href)}</code>
      <div className="row">
        <a className="button small" href={href} target="_blank" rel="noopener noreferrer" onClick={() => decide(true)}>
          Open the page
        </a>
        <button type="button" className="button small" onClick={() => decide(false)}>
          Refuse
        </button>
      </div>
    </div>
  )
}

function NoteList({ notes }: { notes: readonly AppNote[] }): JSX.Element {
  return (
    <details className="app-notes">
      <summary className="small muted">Messages of the view ({notes.length})</summary>
      <ol aria-label="Messages of the view">
        {notes.map(({ id, method, params, error }) => (
          <li key={id}>
            <code>{visible(method)}</code>
            {error !== undefined && <span className="issue small">{visible(error)}</span>}
            <JsonTree value={params} open={1} />
          </li>
        ))}
      </ol>
    </details>
  )
}
