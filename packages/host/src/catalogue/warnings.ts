import { visible, visibleLine } from '@tenon/sdk/display'

/**
 * A reason to look twice at a definition.
 *
 * - `invisible`: characters that a person cannot see and a model reads; they are removed before a model gets the text
 * - `instructions`: text that talks to the model about other things than the tool
 * - `look_alike`: a name that looks like another one
 */
export interface Warning {
  readonly code: 'invisible' | 'instructions' | 'look_alike'
  readonly message: string
}

/** Phrases of known attacks: orders that bind the model beyond the tool, or keep something from the user. */
const instructions: readonly RegExp[] = [
  /<\/?\s*(?:important|system|instructions?|secret|hidden|assistant|admin)\b[^>]{0,40}>/i,
  /\b(?:ignore|disregard|forget|override)\b[^.]{0,30}\b(?:previous|prior|above|earlier|other|all|any)\b[^.]{0,30}\b(?:instructions?|rules?|prompts?|messages?|tools?)\b/i,
  /\b(?:do not|don't|never|without)\b[^.]{0,20}\b(?:tell|telling|mention|mentioning|inform|informing|reveal|revealing|notify|notifying|show|showing)\b[^.]{0,40}\buser\b/i,
  /\bbefore\b[^.]{0,30}\b(?:using|calling|running|invoking)\b[^.]{0,40}\b(?:read|send|call|pass|include|fetch)\b/i,
  /\b(?:you must|always|make sure to)\b[^.]{0,60}\b(?:id_rsa|\.ssh|\.env|credentials?|passwords?|api keys?|private keys?|conversation|chat history)\b/i,
  /\bsystem prompt\b/i,
]

const maxExamined = 100_000

/** The texts of a definition, at any depth. */
function* textsOf(value: unknown, depth = 0): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null && depth < 64) {
    for (const [key, member] of Object.entries(value)) {
      if (!Array.isArray(value)) yield key
      yield* textsOf(member, depth + 1)
    }
  }
}

/** Reasons to look twice at a definition, without looking at others. */
export function warningsOf(definition: object): Warning[] {
  const warnings: Warning[] = []
  let hidden = false
  let order: string | undefined
  for (const text of textsOf(definition)) {
    hidden ||= hasInvisible(text)
    order ??= instructionIn(text)
  }
  if (hidden)
    warnings.push({ code: 'invisible', message: 'it has invisible characters, which are not shown to models' })
  if (order !== undefined) {
    warnings.push({
      code: 'instructions',
      message: `it gives orders to the model: "${order}"`,
    })
  }
  return warnings
}

/** The words of a text that talk to the model about other things than the tool, fit to be shown. */
export function instructionIn(text: string): string | undefined {
  const examined = withoutInvisible(text).slice(0, maxExamined)
  for (const pattern of instructions) {
    const words = pattern.exec(examined)?.[0]
    if (words !== undefined) return visibleLine(words.slice(0, 120))
  }
  return undefined
}

/** Whether a text has characters that a person cannot see and a model reads. */
export const hasInvisible = (text: string): boolean => text.length > 0 && visible(text) !== text.replace(/\r\n/g, '\n')

/** Marks of `visible` for characters that cannot be seen. */
const mark = /\u27e8U\+[\dA-F]{4,6}\u27e9|[\u2400-\u2421]/gu

/** A text without characters that cannot be seen. Marks that were in the text before stay. */
function withoutInvisible(text: string): string {
  if (!hasInvisible(text)) return text
  // Character by character: a mark that the server wrote itself is text like any other.
  return [...text].map((character) => (isMark(visible(character)) && !isMark(character) ? '' : character)).join('')
}

const isMark = (text: string): boolean => text.replace(mark, '') === '' && text !== ''

/** A definition in which no text has invisible characters; the same object if there are none. */
export function cleanDefinition<Value>(value: Value): Value {
  if (typeof value === 'string') return withoutInvisible(value) as Value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => cleanDefinition<unknown>(item)) as Value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [withoutInvisible(key), cleanDefinition<unknown>(member)]),
  ) as Value
}
