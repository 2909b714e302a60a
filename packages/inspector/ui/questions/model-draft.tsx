import { type JSX, useEffect, useId, useState } from 'react'
import type { ModelView } from '../../src/protocol.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'

interface Props {
  question: string
  /** Shows the text of the model; the person sends it, changed or not. */
  show: (text: string, model: string) => void
}

/** Lets a model write the answer, and says which one. */
export function ModelDraft({ question, show }: Props): JSX.Element {
  const id = useId()
  const [known, setKnown] = useState<ModelView>()
  const [draft, setDraft] = useState({ baseUrl: '', model: '', key: '' })
  const { busy, problem, start } = useBusy()
  const learn = (model: ModelView | undefined): void => {
    setKnown(model)
    if (model !== undefined) setDraft({ baseUrl: model.baseUrl, model: model.model, key: '' })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once.
  useEffect(() => {
    void run('model.get', {}).then(({ model }) => learn(model))
  }, [])
  const save = (): Promise<void> =>
    start(async () => {
      const { baseUrl, model, key } = draft
      learn((await run('model.set', { baseUrl, model, ...(key !== '' && { key }) })).model)
    })
  const ask = (): Promise<void> =>
    start(async () => {
      const { message } = await run('model.draft', { question })
      const [block] = [message.content].flat()
      if (block?.type === 'text') show(block.text, message.model)
    })
  const field = (name: keyof typeof draft, label: string, placeholder: string, type = 'text'): JSX.Element => (
    <div className="field">
      <label className="field-label" htmlFor={`${id}-${name}`}>
        {label}
      </label>
      <input
        id={`${id}-${name}`}
        className="input mono"
        type={type}
        autoComplete="off"
        placeholder={placeholder}
        value={draft[name]}
        onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
      />
    </div>
  )
  return (
    <div className="stack">
      <div className="row">
        <button type="button" className="button" disabled={busy || known === undefined} onClick={() => void ask()}>
          {busy ? 'Waiting for the model…' : 'Let the model answer'}
        </button>
        {known !== undefined && <span className="small muted">{known.model}; you see it before it is sent</span>}
      </div>
      <details>
        <summary className="small muted">{known === undefined ? 'Set up a model' : 'Another model'}</summary>
        <div className="stack">
          {field('baseUrl', 'Address of the model', 'http://localhost:11434/v1')}
          {field('model', 'Name of the model', 'llama3')}
          {field('key', 'Key', known?.hasKey ? 'kept in the backend' : 'if it needs one', 'password')}
          <button type="button" className="button small" disabled={busy} onClick={() => void save()}>
            Use this model
          </button>
        </div>
      </details>
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </div>
  )
}
