import { type JSX, useId } from 'react'

interface TextFieldProps {
  label: string
  value: string
  set: (value: string) => void
  hint?: string
  /** Why the text stands for nothing. */
  problem?: string | undefined
  placeholder?: string
  rows?: number
  mono?: boolean
  secret?: boolean
}

/** A labelled field, with a hint and its mistake below it. */
export function TextField({
  label,
  value,
  set,
  hint,
  problem,
  placeholder,
  mono,
  secret,
  ...props
}: TextFieldProps): JSX.Element {
  const id = useId()
  // A single line cannot show where a line ends.
  const rows = props.rows ?? (value.includes('\n') && !secret ? Math.min(8, value.split('\n').length) : undefined)
  const describedBy = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  const shared = {
    id,
    value,
    placeholder,
    spellCheck: false,
    autoComplete: 'off',
    'aria-describedby': describedBy === '' ? undefined : describedBy,
    'aria-invalid': problem !== undefined || undefined,
  }
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {rows === undefined ? (
        <input
          {...shared}
          type={secret ? 'password' : 'text'}
          className={mono ? 'input mono' : 'input'}
          onChange={(event) => set(event.target.value)}
        />
      ) : (
        <textarea
          {...shared}
          rows={rows}
          className={mono ? 'textarea mono short' : 'textarea short'}
          onChange={(event) => set(event.target.value)}
        />
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} className="issue small" role="alert">
          {problem}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="small muted">
          {hint}
        </p>
      )}
    </div>
  )
}
