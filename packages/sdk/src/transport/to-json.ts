import type { Payload } from '../jsonrpc/message.ts'

/** The texts of results that are sent again and again: a list is written once, not for every client. */
const texts = new WeakMap<object, string>()

/** Says that a result is sent more than once, and never changed. */
export function keepText(result: object): void {
  texts.set(result, '')
}

/** A message, or a batch, as text. */
export function toJson(payload: Payload): string {
  const { id, result } = payload as { id?: unknown; result?: object }
  const known = result === undefined ? undefined : texts.get(result)
  if (known === undefined) return JSON.stringify(payload)
  const text = known === '' ? JSON.stringify(result) : known
  if (known === '') texts.set(result!, text)
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`
}
