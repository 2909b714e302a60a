import {
  type CreateMessageParams,
  type CreateMessageResult,
  type ElicitParams,
  type ElicitResult,
  ErrorCode,
  RpcError,
} from '@tenon/sdk/client'
import type { Answers, GivenAnswer, GivenSample } from './answers.ts'

/** The answer of `--elicit` to a question. */
export function preparedAnswer(
  request: ElicitParams,
  answers: Answers<GivenAnswer>,
  note: (text: string) => void,
): ElicitResult {
  const declined = (why: string): ElicitResult => {
    note(`The server asks: ${request.message}`)
    note(`Declined: ${why}`)
    return { action: 'decline' }
  }
  const answer = answers.next(request.message)
  if (answer === undefined) return declined('--elicit has no answer for it')
  if (answer.action !== 'accept') return { action: answer.action }
  if (request.mode === 'url') {
    if (answer.content !== undefined) return declined('it is a page to visit, and --elicit has the content of a form')
    return { action: 'accept' }
  }
  const { properties, required = [] } = request.requestedSchema
  const content = Object.fromEntries(
    Object.entries(answer.content ?? {}).filter(([field]) => Object.hasOwn(properties, field)),
  )
  const missing = required.find(
    (field) =>
      !Object.hasOwn(content, field) && Object.hasOwn(properties, field) && properties[field]!.default === undefined,
  )
  if (missing !== undefined) return declined(`--elicit has no value for ${JSON.stringify(missing)}`)
  return { action: 'accept', content: content as NonNullable<ElicitResult['content']> }
}

/** The answer of `--sample` to a request for a message. */
export function preparedSample(request: CreateMessageParams, answers: Answers<GivenSample>): CreateMessageResult {
  const answer = answers.next(JSON.stringify(request.messages))
  if (answer === undefined || answer.decline) {
    throw new RpcError(ErrorCode.UserRejected, 'User rejected sampling request')
  }
  return { role: 'assistant', model: 'prepared', stopReason: 'endTurn', ...answer.result } as CreateMessageResult
}
