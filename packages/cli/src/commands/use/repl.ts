import { command } from '../../command.ts'
import { useOptions } from '../../server/options.ts'
import { say } from '../../terminal/text.ts'

export default command({
  name: 'repl',
  summary: 'Keep a connection and type commands',
  usage: ['<target>', '-- <program> [argument…]'],
  details:
    'A line is a command such as `list tools`, or a tool with its arguments: `add a=1 b=2`. Tab completes commands, tools, arguments and values; JSON may span lines. Ctrl-C cancels a call, Ctrl-D leaves. Lines from a file or a pipe are run one by one, and the exit code is that of the first failure.',
  examples: [
    { line: 'tenon repl everything', shows: 'a session with a server' },
    { line: 'tenon repl --strict everything < calls.txt', shows: 'a script, up to its first failure' },
  ],
  options: {
    strict: { type: 'flag', help: 'End a script at its first failure' },
    ...useOptions,
  },
  run: async (call) => {
    const { ReplSession } = await import('../../repl/session.ts')
    const { runScript, readCommands } = await import('../../repl/loop.ts')
    const { terminal } = call
    const session = new ReplSession(call)
    await session.connect()
    try {
      if (!terminal.canAsk) return await runScript(call, session, call.options.strict)
      const { info, revision } = session.connected!.client.server
      const name = info?.title ?? info?.name ?? session.connected!.label
      terminal.note(say`Connected to ${terminal.notes.bold(name)} (${revision}). Type help, or press Tab.`)
      await readCommands(call, session)
    } finally {
      await session.close()
    }
  },
})
