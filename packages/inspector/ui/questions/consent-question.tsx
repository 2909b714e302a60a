import { type JSX, useId, useState } from 'react'
import type { ConsentQuestion } from '../../src/protocol.ts'
import { JsonTree } from '../content/json-tree.tsx'
import { visible } from '../content/visible.ts'
import { type Draft, draftOf, readObjectDraft } from '../form/draft.ts'
import { JsonInput } from '../form/json-input.tsx'
import { AnnotationBadges } from '../tools/annotation-badges.tsx'
import { toolTitle } from '../tools/tool-list.ts'
import type { AnswerWith } from './question-card.tsx'

/** A model wants to call a tool: the person sees with which arguments, and may change them. */
export function ConsentView({ question, answer }: { question: ConsentQuestion; answer: AnswerWith }): JSX.Element {
  const { tool, warnings } = question
  const id = useId()
  const [draft, setDraft] = useState<Draft>()
  const { value, problems } = readObjectDraft(draft ?? draftOf(question.arguments))
  const allow = (always: boolean): void => {
    if (value === undefined) return
    void answer({ action: 'accept', ...(draft !== undefined && { arguments: value }), ...(always && { always }) })
  }
  return (
    <>
      <p>
        <strong>{visible(toolTitle(tool))}</strong> <code>{visible(tool.name)}</code>
      </p>
      <AnnotationBadges annotations={tool.annotations} />
      {warnings.map((warning) => (
        <p key={warning} className="notice warn">
          Look twice: {visible(warning)}
        </p>
      ))}
      {draft === undefined ? (
        <JsonTree value={question.arguments} open={2} />
      ) : (
        <div className="field">
          <label className="field-label" htmlFor={id}>
            Arguments
          </label>
          <JsonInput id={id} rows={5} value={draft} change={(next) => setDraft(draftOf(next))} />
          {problems !== undefined && <p className="issue small">Nothing is called before this is an object.</p>}
        </div>
      )}
      <div className="row answer-foot">
        <button type="button" className="button primary" disabled={value === undefined} onClick={() => allow(false)}>
          Allow once
        </button>
        <button type="button" className="button" disabled={value === undefined} onClick={() => allow(true)}>
          Allow in this conversation
        </button>
        <button type="button" className="button" onClick={() => void answer({ action: 'decline' })}>
          Decline
        </button>
        {draft === undefined && (
          <button type="button" className="button quiet" onClick={() => setDraft(draftOf(question.arguments))}>
            Edit arguments
          </button>
        )}
      </div>
    </>
  )
}
