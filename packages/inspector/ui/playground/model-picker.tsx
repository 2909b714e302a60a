import { type JSX, useId, useState } from 'react'
import type { PlaygroundView } from '../../src/protocol.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'

const suggestions = ['offline', 'anthropic/', 'openai/', 'google/', 'ollama/', 'http://localhost:11434/v1#']

/** Which models answer, and their keys. */
export function ModelPicker({ playground, disabled }: { playground: PlaygroundView; disabled: boolean }): JSX.Element {
  const { models, keys } = playground
  return (
    <details className="models">
      <summary>
        {models.length === 1 ? 'Model: ' : 'Models: '}
        <strong>{models.join(' and ')}</strong>
      </summary>
      {/* Another choice is another form: nothing that was typed for the one before stays. */}
      <ModelForm key={models.join(' ')} models={models} disabled={disabled} />
      <KeyForm keys={keys} models={models} />
    </details>
  )
}

function ModelForm({ models, disabled }: { models: readonly string[]; disabled: boolean }): JSX.Element {
  const id = useId()
  const [first, setFirst] = useState(models[0] ?? '')
  const [second, setSecond] = useState(models[1] ?? '')
  const { busy, problem, start } = useBusy()
  const save = (): Promise<void> =>
    start(() => run('playground.setModels', { models: [first, second].map((one) => one.trim()).filter(Boolean) }))
  const field = (label: string, value: string, change: (value: string) => void, placeholder: string): JSX.Element => (
    <div className="field grow">
      <label className="field-label" htmlFor={`${id}-${label}`}>
        {label}
      </label>
      <input
        id={`${id}-${label}`}
        className="input mono"
        list={`${id}-models`}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={value}
        onChange={(event) => change(event.target.value)}
      />
    </div>
  )
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <datalist id={`${id}-models`}>
        {suggestions.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div className="row model-fields">
        {field('Model', first, setFirst, 'offline')}
        {field('Second model', second, setSecond, 'none')}
        <button type="submit" className="button" disabled={busy || disabled}>
          Use
        </button>
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </form>
  )
}

/** Keys go to the backend, and never come back. */
function KeyForm({ keys, models }: { keys: readonly string[]; models: readonly string[] }): JSX.Element | null {
  const id = useId()
  const [key, setKey] = useState('')
  const [chosen, choose] = useState('')
  const { busy, problem, start } = useBusy()
  const online = models.filter((name) => name !== 'offline')
  const model = online.includes(chosen) ? chosen : online[0]
  if (model === undefined) return null
  const save = (given: string | undefined): Promise<void> =>
    start(async () => {
      await run('playground.setKey', { model, ...(given !== undefined && { key: given }) })
      setKey('')
    })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void save(key)
      }}
    >
      <div className="row model-fields">
        {online.length > 1 && (
          <div className="field">
            <label className="field-label" htmlFor={`${id}-of`}>
              Key of
            </label>
            <select id={`${id}-of`} className="select" value={model} onChange={(event) => choose(event.target.value)}>
              {online.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </div>
        )}
        <div className="field grow">
          <label className="field-label" htmlFor={`${id}-key`}>
            Key{online.length === 1 && ` of ${model}`}
          </label>
          <input
            id={`${id}-key`}
            className="input mono"
            type="password"
            autoComplete="off"
            placeholder="if it needs one; an environment variable is found, too"
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        </div>
        <button type="submit" className="button" disabled={busy || key === ''}>
          Keep the key
        </button>
        <button type="button" className="button quiet" disabled={busy} onClick={() => void save(undefined)}>
          Forget it
        </button>
      </div>
      <p className="small muted" role="status">
        {keys.length === 0 ? 'No key is kept.' : `Kept with the secrets: ${keys.join(', ')}.`}
      </p>
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </form>
  )
}
