import type { Tool } from '@tenon/sdk/client'
import type { JSX } from 'react'
import type { ServerView } from '../../src/protocol.ts'
import { useFocusOnIssue } from '../form/focus-on-issue.ts'
import { SchemaForm, useIssues } from '../form/schema-form.tsx'
import { NothingSent } from '../parts/nothing-sent.tsx'
import { outcomeOf } from '../parts/outcome-of.ts'
import { SaveCall } from '../saved/save-call.tsx'
import type { ToolFormState } from './use-tool-form.ts'

/** The arguments of a tool, and the buttons that call it, save the call and reset the form. */
export function ToolForm(props: { tool: Tool; server: ServerView; form: ToolFormState }): JSX.Element {
  const { tool, server, form } = props
  const { draft, setDraft, operation, problems, tried, call, isRunning, send, reset } = form
  const { issues } = useIssues(tool.inputSchema, draft)
  const [element, focusOnIssue] = useFocusOnIssue()
  return (
    <form
      ref={element}
      className="card tool-form"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
        if (problems !== undefined) focusOnIssue()
      }}
      noValidate
    >
      <div className="body">
        <SchemaForm schema={tool.inputSchema} draft={draft} change={setDraft} showIssues={tried} label="Arguments" />
      </div>
      <footer className="form-foot">
        <button type="submit" className="button primary" disabled={isRunning} aria-keyshortcuts="Control+Enter">
          {isRunning ? 'Running…' : 'Call tool'}
        </button>
        <span className="small muted hide-narrow">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </span>
        <TaskChoice form={form} />
        <span className="grow" />
        {tried && <NothingSent problems={problems} />}
        {tried && issues.size > 0 && (
          <span className="small issue form-issue">
            {issues.size === 1 ? '1 value does not fit.' : `${issues.size} values do not fit.`} It was sent as it is.
          </span>
        )}
        <SaveCall
          server={server.id}
          operation={operation}
          outcome={outcomeOf(call, operation)}
          hasSchema={tool.outputSchema !== undefined}
        />
        <button type="button" className="button quiet" onClick={reset}>
          Reset
        </button>
      </footer>
    </form>
  )
}

function TaskChoice({ form: { support, asTask, setAsTask } }: { form: ToolFormState }): JSX.Element | null {
  if (support === 'forbidden') return null
  return (
    <label className="row small">
      <input
        type="checkbox"
        checked={asTask}
        disabled={support === 'required'}
        onChange={(event) => setAsTask(event.target.checked)}
      />
      Run as a task{support === 'required' && ', which this tool demands'}
      {support === 'decided' && ', if the server wants that'}
    </label>
  )
}
