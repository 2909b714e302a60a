import type { Progress, Tool } from '@tenon/sdk/client'
import { type CommandCall, command } from '../../command.ts'
import { usage } from '../../exit.ts'
import type { OptionTable } from '../../line/options.ts'
import { type Connected, withServer } from '../../server/connect.ts'
import { splitDottedName } from '../../server/dotted-name.ts'
import { useOptions } from '../../server/options.ts'
import { checkResultOptions, resultOptions, showToolResult } from '../../show/tool-result.ts'
import { showStatus } from '../../tasks/actions.ts'
import { startTask } from '../../tasks/start.ts'
import { say } from '../../terminal/text.ts'
import { type Arguments, readArguments } from '../../values/arguments.ts'
import { checkArguments } from '../../values/check-arguments.ts'
import { findByName } from '../../values/find-by-name.ts'

const options = {
  'no-check': { type: 'flag', help: 'Send the arguments without checking them against the schema' },
  task: { type: 'flag', help: 'Let the call become a task, where the server has tasks' },
  detach: { type: 'flag', help: 'Start it as a task, print its id, and do not wait' },
  ...resultOptions,
  ...useOptions,
} as const satisfies OptionTable

export default command({
  name: 'call',
  summary: 'Call a tool',
  usage: ['<target> <tool> [argument…]', '<server>.<tool> [argument…]', '<tool> [argument…] -- <program> [argument…]'],
  details: `An argument is name=value, typed by the schema of the tool, or only a value, in the order of the arguments; name:=json is taken as it is, name=@file is the contents of the file, and a.b=value is the member b of a. A list may be given one by one: tags=x tags=y. @file.json, - (standard input) and '{"name": "value"}' are all arguments at once. Required arguments that are missing are asked for on a terminal. The content of the result is printed, or its structured content if there is no other; --output chooses one.`,
  examples: [
    { line: 'tenon call everything add a=19 b=23', shows: 'numbers, because the tool wants numbers' },
    { line: 'tenon call everything.add 19 23', shows: 'the same, with the tool after its server and without names' },
    { line: 'tenon call everything echo message=@notes.md > copy.md', shows: 'the text of a file, into a file' },
    { line: 'tenon call everything convert_units 10 km mi --output structured', shows: 'the structured content' },
    {
      line: 'echo \'{"a": 1, "b": 2}\' | tenon call everything add - --json',
      shows: 'arguments from a program, for a program',
    },
  ],
  options,
  async run(call) {
    checkResultOptions(call)
    await withServer(call, (connected) => callTool(call, connected), {}, await splitDottedName(call))
  },
})

type Call = CommandCall<typeof options>

async function callTool(call: Call, { client, label, words, asker, url, lastResult }: Connected): Promise<void> {
  const [name, ...given] = words
  if (name === undefined) throw usage('Expected the name of a tool', '`tenon list <target> tools` lists them.')
  const { terminal, signal } = call
  const tool = await findByName('tool', name, client.tools({ signal }))
  const args = await withMissing(await readArguments(given, tool.inputSchema, terminal.surroundings), tool, call)
  if (!call.options['no-check']) {
    const { command, shared } = call
    await checkArguments(args, tool.inputSchema, { label, command, shared, tool: name })
  }
  asker.during = name
  const handling = {
    signal,
    onProgress: ({ message, ...share }: Progress) =>
      terminal.activity.progress({ ...share, ...(message && { message: message }) }),
  }
  if (call.options.detach) return await startTask({ call, client, url, lastResult }, name, args, handling)
  const task = call.options.task && { onStatus: showStatus(call) }
  const result = await terminal.activity.during(say`Calling ${name}`, () =>
    client.callTool(name, args, { ...handling, ...(task && { task }) }),
  )
  await showToolResult(call, result, name, lastResult)
}

/** The arguments with those that are required and missing, where there is a person to ask. */
async function withMissing(args: Arguments, tool: Tool, { terminal, signal }: Call): Promise<Arguments> {
  if (!terminal.canAsk) return args
  const { askForMissing } = await import('../../ask/missing-arguments.ts')
  return await askForMissing(args, tool, terminal, signal)
}
