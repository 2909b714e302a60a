import type { JsonObject } from '@tenon/sdk/client'
import { resultOf } from '../../diff/inventory.ts'
import { canonical } from '../../json/canonical.ts'
import { isObject } from '../../json/is-object.ts'
import type { Turn } from '../../serve/turns.ts'

/** The answers of a client during a request, and the turn that ended it. */
interface RecordedAnswers {
  answers: JsonObject[]
  last: Turn
}

/** Follows a request to its end: through questions of the server, or through requests made again with answers. */
export function answersIn(turn: Turn, later: readonly Turn[]): RecordedAnswers {
  const answers = turn.steps.flatMap((step) => {
    if (step.kind !== 'ask') return []
    return answerOf(step.message.method, (step.answer as { result?: unknown } | undefined)?.result)
  })
  const result = resultOf(turn)
  if (result?.resultType !== 'input_required') return { answers, last: turn }
  const index = later.findIndex((next) => isRetry(next, turn))
  if (index < 0) return { answers, last: turn }
  const next = later[index]!
  const questions = isObject(result.inputRequests) ? result.inputRequests : {}
  const given = next.message.params?.inputResponses
  for (const [key, question] of Object.entries(questions)) {
    const response = isObject(given) && Object.hasOwn(given, key) ? given[key] : undefined
    if (isObject(question)) answers.push(...answerOf(String(question.method), response))
  }
  const rest = answersIn(next, later.slice(index + 1))
  return { answers: [...answers, ...rest.answers], last: rest.last }
}

function isRetry({ message }: Turn, { message: first }: Turn): boolean {
  return (
    message.method === first.method &&
    message.params?.inputResponses !== undefined &&
    canonical(asked(message.params)) === canonical(asked(first.params))
  )
}

function asked(params: JsonObject | undefined): JsonObject {
  const { _meta, inputResponses, requestState, ...rest } = params ?? {}
  return rest
}

function answerOf(method: string, result: unknown): JsonObject[] {
  if (!isObject(result)) return []
  if (method === 'elicitation/create') {
    return [{ elicit: result.action === 'accept' ? { accept: result.content ?? {} } : result.action }]
  }
  if (method !== 'sampling/createMessage') return []
  const { content } = result
  const isText = isObject(content) && content.type === 'text' && typeof content.text === 'string'
  return [{ sample: isText ? content.text : result }]
}
