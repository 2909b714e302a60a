import type {
  ElicitationField,
  ElicitationSchema,
  ElicitFormParams,
  ElicitResult,
  ElicitValue,
} from '@tenon/sdk/client'
import { compileSchema, formatIssues } from '@tenon/sdk/schema'
import { tableLines } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { join, paragraph, say } from '../terminal/text.ts'
import { type Choice, choiceCompleter, choicesOf, expectation, shownValue, typedValue } from './form-field.ts'
import { secretFields } from './secret-fields.ts'
import { yesOrNo } from './yes-or-no.ts'

type Content = { [field: string]: ElicitValue }

/** Asks for the fields of a form one by one, and shows the answers before they are sent. */
export async function askForm(
  { message, requestedSchema }: ElicitFormParams,
  who: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ElicitResult> {
  const { bold, dim } = terminal.notes
  const fields = Object.entries(requestedSchema.properties)
  terminal.warn(say`${bold(who)} asks`)
  terminal.warn(paragraph(message))
  if (!(await agreesToSecrets(requestedSchema, terminal, signal))) return { action: 'decline' }
  if (fields.length === 0) return answerTo(await yesOrNo('Agree?', undefined, terminal, signal))
  terminal.warn(dim('Enter takes the value in brackets. :back, :skip, :decline; Ctrl-D leaves the form.'))
  let answers = new Map<string, ElicitValue>()
  for (;;) {
    const asked = await askFields(fields, requestedSchema, answers, terminal, signal)
    if (!(asked instanceof Map)) return { action: asked }
    answers = asked
    const choice = await review(fields, answers, terminal, signal)
    if (choice === 'send') return { action: 'accept', content: Object.fromEntries(answers) as Content }
    if (choice !== 'edit') return { action: choice }
  }
}

const answerTo = (agreed: boolean | undefined): ElicitResult =>
  agreed === undefined ? { action: 'cancel' } : agreed ? { action: 'accept', content: {} } : { action: 'decline' }

async function agreesToSecrets(schema: ElicitationSchema, terminal: Terminal, signal: AbortSignal): Promise<boolean> {
  const secrets = secretFields(schema)
  if (secrets.length === 0) return true
  const { yellow } = terminal.notes
  terminal.warn(yellow(`Careful: ${secrets.join(', ')} looks like a secret.`))
  terminal.warn(yellow('Servers must not ask for secrets in a form: they are sent to the server as you type them.'))
  return (await yesOrNo('Go on all the same?', false, terminal, signal)) === true
}

type Fields = readonly [string, ElicitationField][]

async function askFields(
  fields: Fields,
  schema: ElicitationSchema,
  earlier: ReadonlyMap<string, ElicitValue>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Map<string, ElicitValue> | 'decline' | 'cancel'> {
  const required = new Set(schema.required ?? [])
  const hidden = new Set(secretFields(schema))
  const answers = new Map<string, ElicitValue>()
  for (let at = 0; at < fields.length; ) {
    const [name, field] = fields[at]!
    const question = {
      name,
      field,
      isRequired: required.has(name),
      hidden: hidden.has(name),
      fallback: answers.get(name) ?? earlier.get(name) ?? field.default,
    }
    const step = await askField(question, terminal, signal)
    if (step.move === 'decline' || step.move === 'cancel') return step.move
    if (step.move === 'back') {
      at = Math.max(0, at - 1)
      continue
    }
    if (step.value === undefined) answers.delete(name)
    else answers.set(name, step.value)
    at += 1
  }
  return answers
}

interface Question {
  name: string
  field: ElicitationField
  isRequired: boolean
  hidden: boolean
  fallback: ElicitValue | undefined
}

type Step =
  | { move: 'next'; value: ElicitValue | undefined }
  | { move: 'back' }
  | { move: 'decline' }
  | { move: 'cancel' }

/** Asks for one field until the answer fits. */
export async function askField(question: Question, terminal: Terminal, signal: AbortSignal): Promise<Step> {
  const { name, field, isRequired, hidden, fallback } = question
  const { bold, dim, red } = terminal.notes
  const title = bold(field.title ?? name)
  if (field.description) terminal.warn(dim(paragraph(field.description)))
  showChoices(choicesOf(field) ?? [], terminal)
  const takes = [expectation(field), isRequired || fallback !== undefined ? '' : 'optional']
    .filter((part) => part !== '')
    .join(', ')
  const shownFallback = fallback === undefined ? '' : ` [${hidden ? '…' : shownValue(fallback, field)}]`
  const prompt = say`${title}${takes === '' ? '' : dim(` (${takes})`)}${shownFallback}: `
  const keyboard = await terminal.keyboard()
  for (;;) {
    const typed = await keyboard.read(prompt, { signal, hidden, complete: choiceCompleter(field) })
    if (typed === undefined) return { move: 'cancel' }
    const step = await understand(typed, question)
    if (typeof step !== 'string') return step
    terminal.warn(red(step))
  }
}

// More than this nobody reads; all of them can be typed.
const mostShown = 50

function showChoices(choices: readonly Choice[], terminal: Terminal): void {
  const { dim } = terminal.notes
  for (const [index, choice] of choices.slice(0, mostShown).entries()) {
    const value = choice.title === choice.value ? '' : dim(` ${choice.value}`)
    terminal.warn(say`  ${dim(String(index + 1).padStart(2))}  ${choice.title}${value}`)
  }
  if (choices.length > mostShown) terminal.warn(dim(`      and ${choices.length - mostShown} more`))
}

/** The step that a typed line means for a field, or an error message. */
async function understand(typed: string, { name, field, isRequired, fallback }: Question): Promise<Step | string> {
  const word = typed.trim()
  if (word === ':decline' || word === ':cancel') return word === ':decline' ? { move: 'decline' } : { move: 'cancel' }
  if (word === ':back') return { move: 'back' }
  if (word === ':skip' || (word === '' && fallback === undefined)) {
    return isRequired ? `${field.title ?? name} is required` : { move: 'next', value: undefined }
  }
  if (word === '') return { move: 'next', value: fallback }
  // Two colons stand for one.
  const value = typedValue(typed.replace(/^(\s*)::/, '$1:'), field)
  const issues = compileSchema({ ...field }, { formats: true }).validate(value)
  if (issues.length === 0) return { move: 'next', value }
  return choicesOf(field) ? 'Choose from the list, by number or name' : formatIssues(issues, '').replace(/^:\s*/, '')
}

async function review(
  fields: Fields,
  answers: ReadonlyMap<string, ElicitValue>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<'send' | 'edit' | 'decline' | 'cancel'> {
  const { dim } = terminal.notes
  const keyboard = await terminal.keyboard()
  const hidden = new Set(secretFields({ type: 'object', properties: Object.fromEntries(fields) }))
  const rows = fields.flatMap(([name, field]) => {
    const value = answers.get(name)
    if (value === undefined) return []
    return [[dim(field.title ?? name), hidden.has(name) ? '…' : shownValue(value, field)]]
  })
  terminal.warn(join(tableLines(rows, 100, '  '), '\n'))
  for (;;) {
    const typed = await keyboard.read(say`Send this? (Y)es, (e)dit, (d)ecline `, { signal })
    if (typed === undefined) return 'cancel'
    const word = typed.trim().toLowerCase().replace(/^:/, '')
    if (['', 'y', 'yes'].includes(word)) return 'send'
    if (['e', 'edit', 'back'].includes(word)) return 'edit'
    if (['d', 'decline', 'n', 'no'].includes(word)) return 'decline'
  }
}
