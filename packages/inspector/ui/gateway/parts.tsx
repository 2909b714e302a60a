import type { JSX, ReactNode } from 'react'
import { visibleLine } from '../content/visible.ts'
import type { AskError } from './ask.ts'

/** The head of a screen. */
export function Head(props: { title: string; about: string; children?: ReactNode }): JSX.Element {
  return (
    <header className="page-head">
      <div>
        <h1>{props.title}</h1>
        <p className="muted">{props.about}</p>
      </div>
      {props.children !== undefined && <div className="row">{props.children}</div>}
    </header>
  )
}

/** Why a question was not answered, and names that may have been meant. */
export function Fault({ problem }: { problem: AskError }): JSX.Element {
  const { message, suggestions } = problem
  return (
    <div className="notice danger" role="alert">
      <strong>{visibleLine(message)}</strong>
      {suggestions.length > 0 && <span>There is {suggestions.map(visibleLine).join(', ')}.</span>}
    </div>
  )
}

/** Upstreams that could not be asked. */
export function MissingNotice(props: {
  missing: readonly { readonly upstream: string; readonly problem: string }[]
}): JSX.Element | null {
  if (props.missing.length === 0) return null
  return (
    <div className="notice warn" role="status">
      <strong>Not everything is here</strong>
      {props.missing.map(({ upstream, problem }) => (
        <span key={upstream}>
          {visibleLine(upstream)} could not be asked: {visibleLine(problem)}
        </span>
      ))}
    </div>
  )
}

/** A table that scrolls by itself where it is wider than the screen. */
export function ScrollTable(props: { label: string; heads: readonly string[]; children: ReactNode }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard.
    <section className="table-scroll gateway-table" aria-label={props.label} tabIndex={0}>
      <table>
        <caption className="visually-hidden">{props.label}</caption>
        <thead>
          <tr>
            {props.heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </section>
  )
}
