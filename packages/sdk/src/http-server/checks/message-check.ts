import { classify, explainInvalid } from '../../jsonrpc/classify.ts'
import { type HttpRefusal, refusal, withRequestId } from './refusal.ts'

/** The part of a connection that judges batches. */
interface BatchJudge {
  refuseBatch(messages: unknown[]): string | undefined
}

const isMessage = (value: unknown): boolean => !['invalid', 'batch'].includes(classify(value))

/** Refuses a body without a message before any of it is run: over HTTP that has a status. */
export function refuseMessage(value: unknown, judge: BatchJudge): HttpRefusal | undefined {
  if (Array.isArray(value)) return refuseBatch(value, judge)
  if (classify(value) !== 'invalid') return undefined
  const { message, id } = explainInvalid(value)
  return withRequestId(id, refusal(400, message))
}

/** A batch with one valid message is accepted; its other members are answered, or reported, by the connection. */
function refuseBatch(messages: unknown[], judge: BatchJudge): HttpRefusal | undefined {
  const why = judge.refuseBatch(messages) ?? (messages.some(isMessage) ? undefined : 'a batch without a message')
  return why === undefined ? undefined : refusal(400, `Invalid request: ${why}`)
}
