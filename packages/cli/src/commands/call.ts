import type { ToolCallResult } from '@tenon/sdk/client'
import { command } from '../command.ts'
import { ExitCode, Failure, usage } from '../exit.ts'
import { withServer } from '../server/connect.ts'
import { connectionOptions } from '../server/options.ts'
import { patience } from '../server/patience.ts'
import { showContent } from '../show/content.ts'
import { showJson } from '../show/json.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { visibleLine } from '../terminal/visible.ts'
import { readArguments } from '../values/arguments.ts'
import { checkArguments } from '../values/check.ts'
import { find } from '../values/find.ts'

export default command({
  name: 'call',
  summary: 'Call a tool',
  usage: ['<target> <tool> [argument…]', '<tool> [argument…] -- <program> [argument…]'],
  details: `An argument is name=value, typed by the schema of the tool; name:=json is taken as it is, name=@file is what the file holds, and a.b=value is the member b of a. A list may be given one by one: tags=x tags=y. @file.json, - (standard input) and '{"name": "value"}' are all arguments at once.`,
  examples: [
    { line: 'tenon call everything add a=19 b=23', shows: 'numbers, because the tool wants numbers' },
    { line: 'tenon call everything echo text=@notes.md', shows: 'the text of a file' },
    {
      line: 'echo \'{"a": 1, "b": 2}\' | tenon call everything add - --json',
      shows: 'arguments from a program, for a program',
    },
  ],
  options: {
    'no-check': { type: 'flag', help: 'Send the arguments without holding them against the schema' },
    ...connectionOptions,
  },
  run: (call) =>
    withServer(call, async ({ client, words, asker }) => {
      const [name, ...given] = words
      if (name === undefined) throw usage('Expected the name of a tool', '`tenon list <target> tools` lists them.')
      const { terminal, signal } = call
      const tool = await find('tool', name, client.tools({ signal }))
      const args = await readArguments(given, tool.inputSchema, terminal.surroundings)
      if (!call.options['no-check']) await checkArguments(args, tool.inputSchema, name)
      asker.during = name
      const result = await terminal.activity.during(`Calling ${visibleLine(name)}`, () =>
        client.callTool(name, args, {
          signal,
          ...patience(call),
          onProgress: ({ message, ...share }) =>
            terminal.activity.progress({ ...share, ...(message && { message: visibleLine(message) }) }),
        }),
      )
      const { content, structured, isError, meta } = result
      const value = { content, ...(structured !== undefined && { structured }), isError, ...(meta && { meta }) }
      const failure = isError ? new Failure(ExitCode.ToolError, 'tool_error', 'The tool ran and failed') : undefined
      await call.result(value, () => show(result, terminal, name), failure)
    }),
})

async function show({ content, structured, isError }: ToolCallResult, terminal: Terminal, name: string): Promise<void> {
  const repeats = content.length === 1 && content[0]!.type === 'text' && isJsonOf(content[0]!.text, structured)
  if (structured !== undefined && repeats) terminal.line(showJson(structured, terminal.style))
  else {
    await showContent(content, terminal, name)
    if (structured !== undefined) {
      if (content.length > 0) terminal.note(terminal.notes.dim('structured'))
      terminal.line(showJson(structured, terminal.style))
    }
  }
  if (isError) terminal.warn(`${terminal.notes.red(terminal.notes.bold('error:'))} the tool ran and failed`)
}

/** Servers repeat structured content as text for clients that do not know it; once is enough. */
function isJsonOf(text: string, structured: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(structured)
  } catch {
    return false
  }
}
