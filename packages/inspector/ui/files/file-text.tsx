import { type JSX, useEffect, useId, useState } from 'react'
import { CodeEditor } from '../editor/code-editor.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useBusy } from '../parts/use-busy.ts'

interface Props {
  id: string
  read: () => Promise<string>
  write: (text: string) => Promise<void>
}

/** The text of a file, in an editor. */
export function FileText({ id, read, write }: Props): JSX.Element {
  const label = useId()
  const [text, setText] = useState<string>()
  const { busy, problem, start } = useBusy()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file is another editor.
  useEffect(() => void start(async () => setText(await read())), [id])
  return (
    <section className="card" aria-label="Text of the file">
      <div className="body stack">
        <label htmlFor={label}>{id}</label>
        {text !== undefined && <CodeEditor id={label} language="yaml" rows={18} text={text} change={setText} />}
        {problem !== undefined && <ProblemNotice problem={problem} />}
        <div>
          <button
            type="button"
            className="button primary"
            disabled={busy || text === undefined}
            onClick={() => void start(() => write(text ?? ''))}
          >
            Save the text
          </button>
        </div>
      </div>
    </section>
  )
}
