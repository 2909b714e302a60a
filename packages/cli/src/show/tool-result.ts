import type { ToolCallResult } from '@tenon/sdk/client'
import type { CommandCall } from '../command.ts'
import { CommandFailure, ExitCode, usage } from '../exit.ts'
import type { OptionTable } from '../line/options.ts'
import type { LastResult } from '../server/last-result.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { say } from '../terminal/text.ts'
import { showContent } from './content.ts'
import { showJson } from './json.ts'
import { savingOptions } from './media.ts'

/** The options for the result of a tool. */
export const resultOptions = {
  output: {
    type: 'choice',
    short: 'o',
    choices: ['text', 'structured', 'json', 'raw'],
    help: 'Print only the text, the structured content, the result as JSON, or the result as the server sent it; otherwise the content, or the structured content if there is nothing else',
  },
  ...savingOptions,
} as const satisfies OptionTable

type ResultCall = CommandCall<typeof resultOptions>

/** Refuses options that contradict each other, before anything is called. */
export function checkResultOptions({ options }: ResultCall): void {
  if (!options.json || options.output === undefined) return
  throw usage(
    '--json and --output contradict each other',
    '--json prints the whole result in an envelope, with the server and errors; --output json prints it without.',
  )
}

/** Prints the result of a tool; a failed tool sets the exit code. */
export async function showToolResult(
  call: ResultCall,
  result: ToolCallResult,
  name: string,
  last: LastResult,
): Promise<void> {
  const { output } = call.options
  const failure = result.isError
    ? new CommandFailure(ExitCode.ToolError, 'tool_error', 'The tool returned an error', toolErrorHint)
    : output === 'structured' && result.structured === undefined
      ? new CommandFailure(ExitCode.Different, 'no_structured', 'The result has no structured content', textHint)
      : undefined
  await call.result(resultValue(result), () => show(call, result, name, last), failure)
  // The message of the tool is its content, which is printed.
  const { terminal } = call
  const { red, bold } = terminal.notes
  if (call.options.json || failure === undefined) return
  const text = result.isError ? 'the tool returned an error' : failure.message
  terminal.warn(say`${red(bold('error:'))} ${text}`)
  if (!result.isError) terminal.warn(say`${terminal.notes.dim('hint:')} ${failure.hint!}`)
}

const toolErrorHint = 'The content of the result says what went wrong.'
const textHint = '--output text prints its text.'

const resultValue = ({ content, structured, isError, meta }: ToolCallResult): object => ({
  content,
  ...(structured !== undefined && { structured }),
  isError,
  ...(meta && { meta }),
})

async function show(call: ResultCall, result: ToolCallResult, name: string, last: LastResult): Promise<void> {
  const { terminal, options } = call
  const { structured } = result
  switch (options.output) {
    case 'text':
      return showText(result, terminal)
    case 'structured':
      if (structured !== undefined) terminal.line(showJson(structured, terminal.style))
      // An error of the tool has none: its text says why.
      else if (result.isError) showText(result, terminal, 'note')
      return
    case 'json':
      return terminal.line(showJson(resultValue(result), terminal.style))
    case 'raw':
      return terminal.json(last.value)
    default:
      return await showOnce(result, terminal, name, options)
  }
}

/** Text exactly as it came, so that a file of it is the text. */
function showText({ content }: ToolCallResult, terminal: Terminal, to: 'result' | 'note' = 'result'): void {
  const texts = content.flatMap((block) => {
    if (block.type === 'text') return [block.text]
    return block.type === 'resource' && 'text' in block.resource ? [block.resource.text] : []
  })
  if (to === 'note') for (const text of texts) terminal.warn(say`${text}`)
  else if (terminal.isRead) for (const text of texts) terminal.content(text)
  else terminal.bytes(Buffer.from(texts.join('\n')))
}

/** The content, or the structured content if there is nothing else: servers repeat one in the other. */
async function showOnce(
  { content, structured }: ToolCallResult,
  terminal: Terminal,
  name: string,
  options: ResultCall['options'],
): Promise<void> {
  const [first, ...more] = content
  const repeats = first?.type === 'text' && more.length === 0 && isJsonOf(first.text, structured)
  if (structured !== undefined && (first === undefined || repeats)) {
    return terminal.line(showJson(structured, terminal.style))
  }
  await showContent(content, terminal, name, { save: options.save, option: '--save folder' })
  if (structured !== undefined && terminal.isRead) {
    terminal.note(terminal.notes.dim('The result has structured content too: --output structured prints it.'))
  }
}

function isJsonOf(text: string, structured: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(structured)
  } catch {
    return false
  }
}
