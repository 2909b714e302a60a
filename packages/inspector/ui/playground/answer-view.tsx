import type { JSX, ReactNode } from 'react'
import type { AnswerEnd, AnswerPart, PlaygroundAnswer } from '../../src/protocol.ts'
import { duration } from '../content/format.ts'
import { MarkdownView } from '../content/markdown-view.tsx'
import { visible } from '../content/visible.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { ToolCard } from './tool-card.tsx'

interface Props {
  answer: PlaygroundAnswer
  /** Something to do with it, once it has ended. */
  children?: ReactNode
}

/** The answer of one model: its words, and its tool calls as cards. */
export function AnswerView({ answer, children }: Props): JSX.Element {
  const { model, parts, end } = answer
  return (
    <section className="answer" aria-label={`Answer of ${model}`} aria-busy={end === undefined}>
      <h2 className="small muted">{visible(model)}</h2>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end.
        <Part key={at} part={part} isOver={end !== undefined} />
      ))}
      {end === undefined ? (
        <p className="small muted">Answering…</p>
      ) : (
        <footer className="row small muted">
          <End end={end} />
          {children}
        </footer>
      )}
      {end?.problem !== undefined && <ProblemNotice problem={end.problem} />}
    </section>
  )
}

function Part({ part, isOver }: { part: AnswerPart; isOver: boolean }): JSX.Element {
  switch (part.kind) {
    case 'text':
      return <MarkdownView text={part.text} />
    case 'reasoning':
      return (
        <details>
          <summary className="small muted">Reasoning</summary>
          <p className="pre-line small">{visible(part.text)}</p>
        </details>
      )
    case 'notice':
      return <p className="notice small">{visible(part.text)}</p>
    case 'call':
      return <ToolCard use={part} isOver={isOver} />
  }
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['answered', 'answered'],
  ['length', 'cut: the answer is as long as it may be'],
  ['steps', 'ended: too many steps'],
  ['cancelled', 'stopped'],
  ['failed', 'failed'],
])

function End({ end }: { end: AnswerEnd }): JSX.Element {
  const { reason, steps, inputTokens, outputTokens, durationMs } = end
  const facts = [
    reasons.get(reason) ?? reason,
    ...(steps === undefined ? [] : [steps === 1 ? '1 step' : `${steps} steps`]),
    ...(inputTokens === undefined ? [] : [`${inputTokens} + ${outputTokens} tokens`]),
    duration(durationMs),
  ]
  return <span role="status">{facts.join(' · ')}</span>
}
