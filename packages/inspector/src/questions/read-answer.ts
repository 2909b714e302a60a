import type { CreateMessageResult, ElicitationSchema, ElicitValue, JsonObject } from '@tenon/sdk/client'
import { compileSchema } from '@tenon/sdk/schema'
import { RequestProblem } from '../problem.ts'
import type { Answer, FormQuestion, Question } from '../protocol.ts'
import { isObject, readObject, readOneOf, readText } from '../read-params.ts'

/** Reads the decision of a person, as far as the kind of question allows it. */
export function readAnswer(value: unknown, question: Question): Answer {
  const raw = readObject('answer', value)
  const action = readOneOf(raw, 'action', ['accept', 'decline', 'cancel'])
  if (action !== 'accept') return { action }
  if (question.kind === 'form') return { action, content: readContent(raw.content, question) }
  if (question.kind === 'sampling') return { action, message: readMessage(raw.message) }
  if (question.kind === 'consent') {
    return {
      action,
      ...(raw.arguments !== undefined && { arguments: readObject('answer.arguments', raw.arguments) as JsonObject }),
      ...(raw.always === true && { always: true }),
    }
  }
  return { action }
}

const isValue = (value: unknown): value is ElicitValue =>
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every((item) => typeof item === 'string'))

/** Refuses what the library would refuse, as that would end the whole call; the question stays open. */
function readContent(value: unknown, { schema }: FormQuestion): { [field: string]: ElicitValue } {
  const content = readObject('answer.content', value ?? {})
  for (const [name, field] of Object.entries(content)) {
    if (!isValue(field)) throw new RequestProblem(`answer.content.${name}: expected a text, number, boolean or texts`)
  }
  const [issue] = compileSchema({ ...schema }, { formats: true }).validate({ ...defaultsOf(schema), ...content })
  if (issue !== undefined) throw new RequestProblem(`answer.content.${issue.path.join('.')}: ${issue.message}`)
  return content as { [field: string]: ElicitValue }
}

/** The library fills fields that were left out with their defaults. */
const defaultsOf = ({ properties }: ElicitationSchema): { [field: string]: unknown } =>
  Object.fromEntries(
    Object.entries(properties ?? {}).flatMap(([name, field]) =>
      field.default === undefined ? [] : [[name, field.default]],
    ),
  )

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
