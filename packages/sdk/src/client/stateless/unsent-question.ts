const question = /\b(elicitation\/create|sampling\/createMessage|roots\/list)\b/
const refusal = /\bcannot (?:be sent|send)\b|\bnot (?:available|supported)\b|\bno back-?channel\b/i
/** Such sentences are short; a tool may fail with megabytes. */
const maxLength = 2_000

/**
 * The method of a question that a server could not send because it is stateless. Libraries whose handlers ask with a
 * request have no code for this: all of them name the method, and say that it cannot be sent.
 */
export function unsentQuestion(said: string): string | undefined {
  const text = said.slice(0, maxLength)
  return refusal.test(text) ? question.exec(text)?.[1] : undefined
}
