import { visibleLine } from '@tenon/sdk/display'
import { hasInvisible, instructionIn } from '../../catalogue/warnings.ts'
import { type Collector, step } from '../collector.ts'
import { at, type Listed } from '../subjects.ts'

const maxDepth = 64

/** The texts of a definition with their places, names of members too. */
function* textsIn(value: unknown, pointer = '', depth = 0): Generator<{ pointer: string; text: string }> {
  if (typeof value === 'string') yield { pointer, text: value }
  else if (typeof value === 'object' && value !== null && depth < maxDepth) {
    for (const [key, member] of Object.entries(value)) {
      if (!Array.isArray(value)) yield { pointer: pointer + step(key), text: key }
      yield* textsIn(member, pointer + step(key), depth + 1)
    }
  }
}

/** Characters that only a model sees, and orders to the model. Each is reported once for a definition, at its first place. */
export function checkTexts(listed: Listed, found: Collector): void {
  let [isHidden, isOrder] = [false, false]
  for (const { pointer, text } of textsIn(listed.definition)) {
    if (!isHidden && hasInvisible(text)) {
      isHidden = true
      found.add('text-invisible', {
        subject: at(listed, pointer),
        message: `It has characters that people cannot see and models read: ${excerpt(text)}`,
        fix: 'Remove them: hosts show them as an attack, or remove them.',
      })
    }
    const order = isOrder ? undefined : instructionIn(text)
    if (order === undefined) continue
    isOrder = true
    found.add('text-instructions', {
      subject: at(listed, pointer),
      message: `It gives orders to the model beyond its own use: "${order}".`,
      fix: 'Describe the purpose and the arguments, and leave decisions to the model and its user.',
    })
  }
}

/** The beginning of a text from shortly before its first invisible character on. */
function excerpt(text: string): string {
  const first = [...text].findIndex((character) => hasInvisible(character))
  return `"${visibleLine([...text].slice(Math.max(0, first - 20), first + 20).join(''))}"`
}
