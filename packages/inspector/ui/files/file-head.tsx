import type { JSX, ReactNode } from 'react'
import { visible } from '../content/visible.ts'

interface Props {
  /** The address of the list that the file is in, and its name. */
  back: string
  all: string
  title: string
  id: string
  servers: readonly string[]
  /** Buttons beside the title. */
  children: ReactNode
}

/** The head of the page of a file. */
export function FileHead({ back, all, title, id, servers, children }: Props): JSX.Element {
  return (
    <header className="stack">
      <a className="button small back-link" href={back}>
        ← {all}
      </a>
      <div className="page-head">
        <div>
          <h1>{visible(title)}</h1>
          <div className="row small muted">
            <code>{visible(id)}</code>
            {servers.length > 0 && <span>on {servers.map(visible).join(', ')}</span>}
          </div>
        </div>
        <div className="row">{children}</div>
      </div>
    </header>
  )
}
