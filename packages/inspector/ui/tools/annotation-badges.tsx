import type { ToolAnnotations } from '@tenon/sdk/client'
import type { JSX } from 'react'
import { Term } from '../parts/term.tsx'

/** The annotations of a tool. The server says so itself: they are not verified. */
export function AnnotationBadges({ annotations }: { annotations: ToolAnnotations | undefined }): JSX.Element | null {
  const badges = badgesOf(annotations ?? {})
  if (badges.length === 0) return null
  return (
    <ul className="row" aria-label="Annotations of this tool">
      {badges.map(({ text, term, tone, about }) => (
        <li key={text} className={`badge ${tone}`} title={`${about} The server says so itself.`}>
          {text} <Term>{term}</Term>
        </li>
      ))}
    </ul>
  )
}

function badgesOf({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: ToolAnnotations) {
  const badges: { text: string; term: string; tone: string; about: string }[] = []
  const add = (text: string, term: string, tone: string, about: string): void =>
    void badges.push({ text, term, tone, about })
  if (readOnlyHint === true) add('reads only', 'readOnlyHint', 'ok', 'It changes nothing.')
  if (readOnlyHint === false && destructiveHint === false)
    add('only adds', 'destructiveHint', '', 'It destroys nothing.')
  if (readOnlyHint !== true && destructiveHint === true)
    add('destructive', 'destructiveHint', 'danger', 'It may delete or overwrite.')
  if (idempotentHint === true) add('repeatable', 'idempotentHint', '', 'Calling it again changes nothing more.')
  if (openWorldHint === true) add('reaches out', 'openWorldHint', 'warn', 'It talks to the outside world.')
  if (openWorldHint === false) add('stays inside', 'openWorldHint', '', 'It does not talk to the outside world.')
  return badges
}
