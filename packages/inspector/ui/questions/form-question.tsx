import type { ElicitValue } from '@tenon/sdk/client'
import { type JSX, useState } from 'react'
import type { FormQuestion } from '../../src/protocol.ts'
import { visible } from '../content/visible.ts'
import { type Draft, draftOf, readObjectDraft } from '../form/draft.ts'
import { useFocusOnIssue } from '../form/focus-on-issue.ts'
import type { Schema } from '../form/resolve.ts'
import { SchemaForm, useIssues } from '../form/schema-form.tsx'
import { initialValue } from '../form/values.ts'
import { NothingSent } from '../parts/nothing-sent.tsx'
import { useKept } from '../state/use-kept.ts'
import type { AnswerWith } from './question-card.tsx'

/** A form that a server wants to be filled in. */
export function FormQuestionView({ question, answer }: { question: FormQuestion; answer: AnswerWith }): JSX.Element {
  const schema = question.schema as unknown as Schema
  const [draft, setDraft] = useKept<Draft>(`question ${question.id}`, () => draftOf(initialValue(schema, schema) ?? {}))
  const [tried, setTried] = useState(false)
  const { issues } = useIssues(schema, draft)
  const { value, problems } = readObjectDraft(draft)
  const [form, focusOnIssue] = useFocusOnIssue()
  const send = (): void => {
    setTried(true)
    if (value === undefined || issues.size > 0) focusOnIssue()
    else void answer({ action: 'accept', content: value as { [field: string]: ElicitValue } })
  }
  return (
    <form
      ref={form}
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <p className="pre-line">{visible(question.message)}</p>
      <p className="small muted">Your answer goes to the server. Do not give it passwords or keys.</p>
      <SchemaForm schema={schema} draft={draft} change={setDraft} showIssues={tried} label="Your answer" />
      {tried && <NothingSent problems={problems} />}
      <div className="row answer-foot">
        <button type="submit" className="button primary">
          Send answer
        </button>
        <button type="button" className="button" onClick={() => void answer({ action: 'decline' })}>
          Decline
        </button>
        <button type="button" className="button quiet" onClick={() => void answer({ action: 'cancel' })}>
          Cancel
        </button>
      </div>
    </form>
  )
}
