import type { ToolCallResult } from '@tenon/sdk/client'
import type { CommandCall } from '../command.ts'
import { CommandFailure, ExitCode } from '../exit.ts'
import type { OptionTable } from '../line/options.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { say } from '../terminal/text.ts'
import { showContent } from './content.ts'
import { showJson } from './json.ts'
import type { Saving } from './media.ts'

/** Prints the result of a tool; a failed tool sets the exit code. */
export async function showToolResult(
  call: CommandCall<OptionTable>,
  result: ToolCallResult,
  name: string,
  saving?: Saving,
): Promise<void> {
  const { content, structured, isError, meta } = result
  const value = { content, ...(structured !== undefined && { structured }), isError, ...(meta && { meta }) }
  const failure = isError ? new CommandFailure(ExitCode.ToolError, 'tool_error', 'The tool ran and failed') : undefined
  await call.result(value, () => show(result, call.terminal, name, saving), failure)
}

async function show(
  { content, structured, isError }: ToolCallResult,
  terminal: Terminal,
  name: string,
  saving: Saving | undefined,
): Promise<void> {
  const repeats = content.length === 1 && content[0]!.type === 'text' && isJsonOf(content[0]!.text, structured)
  if (structured !== undefined && repeats) terminal.line(showJson(structured, terminal.style))
  else {
    await showContent(content, terminal, name, saving)
    if (structured !== undefined) {
      if (content.length > 0) terminal.note(terminal.notes.dim('structured'))
      terminal.line(showJson(structured, terminal.style))
    }
  }
  if (isError) terminal.warn(say`${terminal.notes.red(terminal.notes.bold('error:'))} the tool ran and failed`)
}

/** Servers repeat structured content as text for clients that do not know it; once is enough. */
function isJsonOf(text: string, structured: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(structured)
  } catch {
    return false
  }
}
