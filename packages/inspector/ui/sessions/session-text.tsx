import { visibleJson } from '@tenon/sdk/display'
import { type JSX, useCallback, useId } from 'react'
import { CodeEditor } from '../editor/code-editor.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { run } from '../state/api.ts'

const maxShown = 2_000_000

/** The text of a session file, one message per line. */
export function SessionText({ id }: { id: string }): JSX.Element {
  const label = useId()
  const { value, problem } = useLoaded(useCallback(() => run('session.text', { session: id }), [id]))
  const text = value?.text
  return (
    <div className="session-text">
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {text !== undefined && text.length > maxShown && (
        <p className="small muted">
          The first {maxShown.toLocaleString('en')} of {text.length.toLocaleString('en')} characters. The download has
          all.
        </p>
      )}
      {text !== undefined && (
        <CodeEditor
          id={label}
          label="Text of the session file"
          language="json-lines"
          rows={10}
          text={visibleJson(text.slice(0, maxShown))}
        />
      )}
    </div>
  )
}
