import type { ToolAnnotations } from '@tenon/sdk/client'
import type { JSX } from 'react'

/** The annotations of a tool. The server says so itself: they are not verified. */
export function AnnotationBadges({ annotations }: { annotations: ToolAnnotations | undefined }): JSX.Element | null {
  const badges = badgesOf(annotations ?? {})
  if (badges.length === 0) return null
  return (
    <ul className="row" aria-label="Annotations of this tool">
      {badges.map(({ text, tone, about }) => (
        <li key={text} className={`badge ${tone}`} title={`${about} The server says so itself.`}>
          {text}
        </li>
      ))}
    </ul>
  )
}

function badgesOf({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: ToolAnnotations) {
  const badges: { text: string; tone: string; about: string }[] = []
  const add = (text: string, tone: string, about: string): void => void badges.push({ text, tone, about })
  if (readOnlyHint === true) add('reads only', 'ok', 'It changes nothing.')
  if (readOnlyHint === false && destructiveHint === false) add('only adds', '', 'It destroys nothing.')
  if (readOnlyHint !== true && destructiveHint === true) add('destructive', 'danger', 'It may delete or overwrite.')
  if (idempotentHint === true) add('repeatable', '', 'Calling it again changes nothing more.')
  if (openWorldHint === true) add('reaches out', 'warn', 'It talks to the outside world.')
  if (openWorldHint === false) add('stays inside', '', 'It does not talk to the outside world.')
  return badges
}
