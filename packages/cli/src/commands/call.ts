import type { Progress } from '@tenon/sdk/client'
import { command } from '../command.ts'
import { usage } from '../exit.ts'
import { withServer } from '../server/connect.ts'
import { connectionOptions } from '../server/options.ts'
import { savingOptions } from '../show/media.ts'
import { showToolResult } from '../show/tool-result.ts'
import { showStatus } from '../tasks/actions.ts'
import { startTask } from '../tasks/start.ts'
import { say } from '../terminal/text.ts'
import { readArguments } from '../values/arguments.ts'
import { checkArguments } from '../values/check-arguments.ts'
import { findByName } from '../values/find-by-name.ts'

export default command({
  name: 'call',
  summary: 'Call a tool',
  usage: ['<target> <tool> [argument…]', '<tool> [argument…] -- <program> [argument…]'],
  details: `An argument is name=value, typed by the schema of the tool; name:=json is taken as it is, name=@file is the contents of the file, and a.b=value is the member b of a. A list may be given one by one: tags=x tags=y. @file.json, - (standard input) and '{"name": "value"}' are all arguments at once.`,
  examples: [
    { line: 'tenon call everything add a=19 b=23', shows: 'numbers, because the tool wants numbers' },
    { line: 'tenon call everything echo text=@notes.md', shows: 'the text of a file' },
    {
      line: 'echo \'{"a": 1, "b": 2}\' | tenon call everything add - --json',
      shows: 'arguments from a program, for a program',
    },
  ],
  options: {
    'no-check': { type: 'flag', help: 'Send the arguments without checking them against the schema' },
    task: { type: 'flag', help: 'Let the call become a task, where the server has tasks' },
    detach: { type: 'flag', help: 'Start it as a task, print its id, and do not wait' },
    ...savingOptions,
    ...connectionOptions,
  },
  run: (call) =>
    withServer(call, async ({ client, words, asker, url }) => {
      const [name, ...given] = words
      if (name === undefined) throw usage('Expected the name of a tool', '`tenon list <target> tools` lists them.')
      const { terminal, signal } = call
      const tool = await findByName('tool', name, client.tools({ signal }))
      const args = await readArguments(given, tool.inputSchema, terminal.surroundings)
      if (!call.options['no-check']) await checkArguments(args, tool.inputSchema, name)
      asker.during = name
      const options = {
        signal,
        onProgress: ({ message, ...share }: Progress) =>
          terminal.activity.progress({ ...share, ...(message && { message: message }) }),
      }
      if (call.options.detach) return await startTask({ call, client, url }, name, args, options)
      const task = call.options.task && { onStatus: showStatus(call) }
      const result = await terminal.activity.during(say`Calling ${name}`, () =>
        client.callTool(name, args, { ...options, ...(task && { task }) }),
      )
      await showToolResult(call, result, name, call.options)
    }),
})
