import type { CompletionReference } from '@tenon/sdk/client'
import { type JSX, useEffect, useId, useState } from 'react'
import type { ServerView } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { run } from '../state/api.ts'

interface Props {
  label: string
  description?: string | undefined
  required?: boolean
  server: ServerView
  reference: CompletionReference
  name: string
  value: string
  change: (value: string) => void
  /** The values of the other inputs: suggestions may depend on them. */
  others: { [name: string]: string }
}

const waitMs = 150

/** A text for which the server may suggest values while it is typed. */
export function CompletedInput(props: Props): JSX.Element {
  const { label, description, required, server, value, change } = props
  const id = useId()
  const suggestions = useSuggestions(props)
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {visible(label)}
        {required === true && <span className="required"> *</span>}
      </label>
      {description !== undefined && (
        <p id={`${id}-about`} className="small muted">
          {visible(description)}
        </p>
      )}
      <input
        id={id}
        className="input"
        value={value}
        list={server.capabilities?.completions === undefined ? undefined : `${id}-list`}
        autoComplete="off"
        spellCheck={false}
        aria-required={required}
        aria-describedby={description === undefined ? undefined : `${id}-about`}
        onChange={(event) => change(event.target.value)}
      />
      <datalist id={`${id}-list`}>
        {suggestions.map((suggestion) => (
          <option key={suggestion} value={suggestion} />
        ))}
      </datalist>
    </div>
  )
}

/** The suggestions of the server, a moment after the last key. Answers to earlier keys are not used. */
function useSuggestions({ server, reference, name, value, others }: Props): string[] {
  const [values, setValues] = useState<string[]>([])
  const [refKey, othersKey] = [JSON.stringify(reference), JSON.stringify(others)]
  const canComplete = server.status === 'connected' && server.capabilities?.completions !== undefined
  useEffect(() => {
    if (!canComplete) return
    let isCurrent = true
    const timer = setTimeout(() => {
      const { [name]: _, ...context } = JSON.parse(othersKey) as { [name: string]: string }
      const ref = JSON.parse(refKey) as CompletionReference
      run('complete', { server: server.id, ref, argument: { name, value }, context }).then(
        (found) => isCurrent && setValues(found.values.slice(0, 100)),
        () => isCurrent && setValues([]),
      )
    }, waitMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [canComplete, server.id, refKey, name, value, othersKey])
  return values
}
