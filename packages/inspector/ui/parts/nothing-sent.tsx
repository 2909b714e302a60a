import type { JSX } from 'react'
import type { Issues } from '../form/check.ts'

/** Says beside a button why it does nothing: a text in the form is no value. */
export function NothingSent({ problems }: { problems: Issues | undefined }): JSX.Element | null {
  if (problems === undefined) return null
  const [[path, [message]]] = [...problems] as [[string, readonly string[]]]
  return (
    <span className="small issue form-issue" role="alert">
      This cannot be sent. {path !== '' && <code>{path}: </code>}
      {message}
    </span>
  )
}
