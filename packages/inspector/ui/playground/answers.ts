import type { PlaygroundEvent, PlaygroundView, Question, ToolUse } from '../../src/protocol.ts'

/** The conversation after an event. */
export function withPlayground(playground: PlaygroundView, event: PlaygroundEvent): PlaygroundView {
  if (event.type === 'playground') return event.playground
  const turns = playground.turns.map((turn) =>
    turn.id === event.turn ? { ...turn, answers: turn.answers.with(event.index, event.answer) } : turn,
  )
  return { ...playground, turns }
}

export const isAnswering = ({ turns }: PlaygroundView): boolean =>
  turns.at(-1)?.answers.some(({ end }) => end === undefined) ?? false

/** The tool calls that have no result yet, of all models. */
const openUses = ({ turns }: PlaygroundView): ToolUse[] =>
  (turns.at(-1)?.answers ?? [])
    .flatMap(({ parts }) => parts)
    .filter((part) => part.kind === 'call')
    .filter(({ outcome }) => outcome === undefined)

/**
 * The tool call that a question is shown with, if there is one. A server of 2025 does not say which call it asks for: the
 * first one that waits for this server has it.
 */
export function toolUseFor(question: Question, playground: PlaygroundView): string | undefined {
  if (question.kind === 'authorization') return undefined
  if (question.kind === 'consent') return question.use
  const uses = openUses(playground).filter(({ call, server }) => call !== undefined && server === question.server)
  return (question.call === undefined ? uses[0] : uses.find(({ call }) => call === question.call))?.id
}
