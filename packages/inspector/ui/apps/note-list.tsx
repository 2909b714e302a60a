import { type JSX, useState } from 'react'
import type { AppViolation } from '../../src/protocol.ts'
import { JsonTree } from '../content/json-tree.tsx'
import { visible } from '../content/visible.ts'
import { Icon } from '../parts/icon.tsx'
import { Term } from '../parts/term.tsx'
import type { AppNote } from './app-notes.ts'

/** Every message between a view and its host. They are rendered only while they are looked at: a view may send many. */
export function NoteList({ notes }: { notes: readonly AppNote[] }): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="app-notes" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="small muted">Messages of the view ({notes.length})</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reached with the keyboard.
        <ol aria-label="Messages of the view" tabIndex={0}>
          {notes.map(({ id, from, kind, method, body }) => (
            <li key={id} data-from={from}>
              <div className="row">
                <Icon name={from === 'view' ? 'request' : 'response'} />
                <span className="small muted">{from === 'view' ? 'view to host' : 'host to view'}</span>
                <code>{visible(method)}</code>
                <Term>{kind}</Term>
              </div>
              {body !== undefined && <JsonTree value={body} open={1} />}
            </li>
          ))}
        </ol>
      )}
    </details>
  )
}

/** The attempts of a view that its policy has blocked. */
export function ViolationList({ violations }: { violations: readonly AppViolation[] }): JSX.Element | null {
  if (violations.length === 0) return null
  return (
    <div className="notice danger app-violations">
      <strong>Blocked by the policy of the view ({violations.length})</strong>
      <ul aria-label="Blocked by the policy">
        {violations.map(({ directive, blocked, source, line }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows at its end.
          <li key={index}>
            <code>{visible(directive)}</code> {visible(blocked)}
            {line !== undefined && <span className="muted"> at {visible(`${source ?? 'line'}:${line}`)}</span>}
          </li>
        ))}
      </ul>
      <span className="small">
        A server declares the origins that its view needs in <code>_meta.ui.csp</code> of the resource.
      </span>
    </div>
  )
}
