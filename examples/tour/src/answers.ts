import type {
  CreateMessageParams,
  CreateMessageResult,
  ElicitationField,
  ElicitFormParams,
  ElicitResult,
} from '@tenon/sdk/client'
import { asked, row, told } from './print.ts'

const filledIn: { [name: string]: string } = {
  traveller: 'Ada Lovelace',
  email: 'ada@example.com',
  start: '2026-10-01',
}

/** Plays the user: fills in the required fields of the form, and leaves the others as they are. */
export function fillInForm({ message, requestedSchema }: ElicitFormParams): ElicitResult {
  const fields = Object.entries(requestedSchema.properties)
  const preset = fields.filter(([, field]) => field.default !== undefined)
  asked(`${message} (a form with ${fields.length} fields)`)
  for (const name of requestedSchema.required ?? []) {
    row(`  ${titleOf(name, requestedSchema.properties[name])}`, filledIn[name] ?? '')
  }
  told(`The tour fills in the required fields; ${preset.length} fields keep their defaults`)
  return { action: 'accept', content: filledIn }
}

const titleOf = (name: string, field: ElicitationField | undefined): string => field?.title ?? name

export const cannedSummary = 'Joints that fit exactly need no glue.'

/** Plays the model. A host would call a real one here, after asking its user. */
export function answerAsModel({ messages }: CreateMessageParams): CreateMessageResult {
  const [first] = [messages[0]!.content].flat()
  asked(`The model is asked about: ${first?.type === 'text' ? `"${first.text.slice(0, 40)}…"` : 'something'}`)
  told('The tour has no model at hand and answers with a sentence it brought along')
  return { role: 'assistant', model: 'canned', content: { type: 'text', text: cannedSummary }, stopReason: 'endTurn' }
}
