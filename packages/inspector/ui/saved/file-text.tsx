import { type JSX, useEffect, useId, useState } from 'react'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'
import { run } from '../state/api.ts'
import { keepCollection } from './collections.ts'

/** The text of a file, in an editor. */
export function FileText({ id }: { id: string }): JSX.Element {
  const label = useId()
  const [text, setText] = useState<string>()
  const { busy, problem, start } = useBusy()
  useEffect(() => void start(async () => setText((await run('saved.text', { collection: id })).text)), [id, start])
  const save = (): Promise<void> =>
    start(async () => keepCollection((await run('saved.write', { collection: id, text: text ?? '' })).collection))
  return (
    <section className="card" aria-label="Text of the file">
      <div className="body stack">
        <label htmlFor={label}>{id}</label>
        <textarea
          id={label}
          className="textarea mono"
          rows={18}
          spellCheck={false}
          value={text ?? ''}
          disabled={text === undefined}
          onChange={(event) => setText(event.target.value)}
        />
        {problem !== undefined && <ProblemNotice problem={problem} />}
        <div>
          <button type="button" className="button primary" disabled={busy} onClick={() => void save()}>
            Save the text
          </button>
        </div>
      </div>
    </section>
  )
}
