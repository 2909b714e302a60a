import type { CreateMessageResult, ElicitValue } from '@tenon/sdk/client'
import { RequestProblem } from '../problem.ts'
import type { Answer, Question } from '../protocol.ts'
import { isObject, readObject, readOneOf, readText } from '../read-params.ts'

/** Reads the decision of a person, as far as the kind of question allows it. */
export function readAnswer(value: unknown, question: Question): Answer {
  const raw = readObject('answer', value)
  const action = readOneOf(raw, 'action', ['accept', 'decline', 'cancel'])
  if (action !== 'accept') return { action }
  if (question.kind === 'form') return { action, content: readContent(raw.content) }
  if (question.kind === 'sampling') return { action, message: readMessage(raw.message) }
  return { action }
}

const isValue = (value: unknown): value is ElicitValue =>
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every((item) => typeof item === 'string'))

function readContent(value: unknown): { [field: string]: ElicitValue } {
  const content = readObject('answer.content', value ?? {})
  for (const [name, field] of Object.entries(content)) {
    if (!isValue(field)) throw new RequestProblem(`answer.content.${name}: expected a text, number, boolean or texts`)
  }
  return content as { [field: string]: ElicitValue }
}

function readMessage(value: unknown): CreateMessageResult {
  const raw = readObject('answer.message', value)
  const role = readOneOf(raw, 'role', ['assistant', 'user'])
  const { content, stopReason } = raw
  const blocks = Array.isArray(content) ? content : [content]
  if (!blocks.every((block) => isObject(block) && typeof block.type === 'string')) {
    throw new RequestProblem('answer.message.content: expected content with a type')
  }
  return {
    role,
    model: readText(raw, 'model'),
    content: content as CreateMessageResult['content'],
    ...(typeof stopReason === 'string' && { stopReason }),
  }
}
