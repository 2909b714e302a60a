import type { ContentBlock, SamplingContent, SamplingMessage } from '@tenon/sdk/client'
import { type JSX, useId, useState } from 'react'
import type { SamplingQuestion } from '../../src/protocol.ts'
import { ContentList } from '../content/content-view.tsx'
import { JsonTree } from '../content/json-tree.tsx'
import { visible } from '../content/visible.ts'
import { ModelDraft } from './model-draft.tsx'
import type { AnswerWith } from './question-card.tsx'

/** A sampling request. The person reads it, and writes the answer of the model. */
export function SamplingView({ question, answer }: { question: SamplingQuestion; answer: AnswerWith }): JSX.Element {
  const [text, setText] = useState('')
  const [model, setModel] = useState('written-by-hand')
  const send = (): void => {
    const content = { type: 'text' as const, text }
    void answer({ action: 'accept', message: { role: 'assistant', model, stopReason: 'endTurn', content } })
  }
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <SamplingRequest question={question} />
      <ModelDraft
        question={question.id}
        show={(written, by) => {
          setText(written)
          setModel(by)
        }}
      />
      <AnswerFields text={text} setText={setText} model={model} setModel={setModel} />
      <div className="row answer-foot">
        <button type="submit" className="button primary" disabled={text === ''}>
          Send answer
        </button>
        <button type="button" className="button" onClick={() => void answer({ action: 'decline' })}>
          Decline
        </button>
      </div>
    </form>
  )
}

interface AnswerProps {
  text: string
  setText: (text: string) => void
  model: string
  setModel: (model: string) => void
}

function AnswerFields({ text, setText, model, setModel }: AnswerProps): JSX.Element {
  const id = useId()
  return (
    <>
      <div className="field">
        <label className="field-label" htmlFor={`${id}-text`}>
          Answer of the model
        </label>
        <textarea
          id={`${id}-text`}
          className="textarea"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <div className="field">
        <label className="field-label" htmlFor={`${id}-model`}>
          Model
        </label>
        <input
          id={`${id}-model`}
          className="input mono"
          value={model}
          onChange={(event) => setModel(event.target.value)}
        />
      </div>
    </>
  )
}

/** The system prompt, the messages, and the whole request for those who open it. */
function SamplingRequest({ question }: { question: SamplingQuestion }): JSX.Element {
  const { messages, systemPrompt, maxTokens, tools } = question.params
  return (
    <>
      {systemPrompt !== undefined && (
        <div className="notice">
          <strong>System prompt</strong>
          <span className="pre-line">{visible(systemPrompt)}</span>
        </div>
      )}
      <ol className="stack messages">
        {messages.map((message, index) => (
          <li key={String(index)} className="message">
            <span className="badge">{message.role}</span>
            <MessageContent message={message} server={question.server} />
          </li>
        ))}
      </ol>
      <details>
        <summary className="small muted">
          At most {maxTokens} tokens{tools !== undefined && `, ${tools.length} tools`}; the whole request
        </summary>
        <JsonTree value={question.params} />
      </details>
    </>
  )
}

const isBlock = (content: SamplingContent): content is Extract<SamplingContent, ContentBlock> =>
  content.type === 'text' || content.type === 'image' || content.type === 'audio'

function MessageContent({ message, server }: { message: SamplingMessage; server: string }): JSX.Element {
  const blocks = [message.content].flat()
  return (
    <div className="grow">
      {blocks.map((block, index) =>
        isBlock(block) ? (
          <ContentList key={String(index)} blocks={[block]} server={server} />
        ) : (
          <JsonTree key={String(index)} value={block} />
        ),
      )}
    </div>
  )
}
