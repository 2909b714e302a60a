import type { Answer, ConsentQuestion } from '@tenon/host'
import type { JsonObject } from '@tenon/sdk/client'
import { visibleJson } from '@tenon/sdk/display'
import { showJson } from '../../show/json.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { join, paragraph, say } from '../../terminal/text.ts'
import { askToAllow } from './allow.ts'

const choices = {
  more: [
    ['always', 'always'],
    ['edit', 'edit'],
  ],
  help: 'y: this call. n: not. session: until the chat ends. always: from now on. edit: other arguments.',
} as const

const verbs = { tool: 'call', resource: 'read', prompt: 'use the prompt' } as const

/** Asks whether something may be done, with the arguments in full. */
export async function askConsent(question: ConsentQuestion, terminal: Terminal): Promise<Answer> {
  let { args } = question
  let isEdited = false
  showQuestion(question, terminal)
  for (;;) {
    showArguments(args, terminal)
    const answer = await askToAllow(choices, terminal, question.signal)
    if (answer !== 'edit') return isEdited && answer !== 'deny' ? { answer, args } : answer
    args = await editedArguments(args, terminal, question.signal)
    isEdited = true
  }
}

function showQuestion({ item, server, name, tool, warnings, rule }: ConsentQuestion, terminal: Terminal): void {
  const { bold, dim, yellow } = terminal.notes
  terminal.warn(say`The model wants to ${verbs[item]} ${bold(say`${server}.${name}`)} ${dim(`(${rule})`)}`)
  const about = tool?.description ?? tool?.title
  if (about !== undefined) terminal.warn(say`  ${dim(`${about.slice(0, 200)}${about.length > 200 ? '…' : ''}`)}`)
  for (const { message } of warnings) terminal.warn(say`  ${yellow('careful:')} ${message}`)
}

const maxLines = 60

/** All of the arguments: consent to something that is not shown would be none. */
function showArguments(args: JsonObject, terminal: Terminal): void {
  const { notes } = terminal
  const indented = showJson(args, notes)
  const isShort = String(indented).split('\n').length <= maxLines
  terminal.warn(isShort ? indented : paragraph(visibleJson(JSON.stringify(args))))
}

/** Has the arguments edited on the line, as JSON, until they are an object. */
async function editedArguments(args: JsonObject, terminal: Terminal, signal: AbortSignal): Promise<JsonObject> {
  const keyboard = await terminal.keyboard()
  let initial = visibleJson(JSON.stringify(args))
  for (;;) {
    const typed = await keyboard.read(say`arguments: `, { signal, initial })
    if (typed === undefined || typed.trim() === '') return args
    try {
      const value: unknown = JSON.parse(typed)
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
      throw new Error(`expected an object, got ${JSON.stringify(value)}`)
    } catch (error) {
      terminal.warn(join([terminal.notes.red('Not usable: '), (error as Error).message]))
      initial = typed
    }
  }
}
