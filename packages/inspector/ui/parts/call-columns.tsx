import type { JSX, ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { panes, Splitter } from './splitter.tsx'

/** A form beside its result where there is room, each scrolling by itself; otherwise the result is below the form. */
export function CallColumns({ form, children }: { form: ReactNode; children: ReactNode }): JSX.Element {
  return (
    <div className="call-columns">
      <div className="form-column stack wide">{form}</div>
      <Splitter pane={panes.form} resizes="before" />
      <div className="result-column stack wide">{children}</div>
    </div>
  )
}

/** The room of a result before there is one; below a form nothing is shown there. */
export function NoResult({ children }: { children: string }): JSX.Element {
  return (
    <div className="no-result">
      <Icon name="play" />
      <p>{children}</p>
      <p className="small">
        <kbd>Ctrl</kbd> <kbd>Enter</kbd>
      </p>
    </div>
  )
}
