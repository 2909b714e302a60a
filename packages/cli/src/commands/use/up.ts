import { command } from '../../command.ts'
import { CommandFailure, ExitCode } from '../../exit.ts'
import { KeeperControl } from '../../keep/control.ts'
import { keepServer } from '../../keep/keep-server.ts'
import type { KeptServer } from '../../keep/keeper.ts'
import { identityFor } from '../../keep/kept-channel.ts'
import type { ServerIdentity } from '../../keep/server-identity.ts'
import { absentOptions } from '../../line/options.ts'
import { readServers, unknownServer } from '../../server/configured.ts'
import { openKept, openTarget } from '../../server/connect.ts'
import { targetOptions, useOptions } from '../../server/options.ts'
import { resolveTarget } from '../../server/target.ts'
import { table } from '../../terminal/table.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { say } from '../../terminal/text.ts'

type ServerCall = Parameters<typeof openTarget>[0]

/** Half an hour. */
const defaultIdleMs = 30 * 60_000

export default command({
  name: 'up',
  summary: 'Keep servers connected between commands',
  usage: ['', '<name…>'],
  details:
    'Starts each server in the background and keeps the connection: call, list, read and other commands use it by themselves, which is faster, and the server keeps its state. It ends with tenon down, or when it was not used for half an hour. If the entry of a server changes, it is connected anew. Options for the connection, such as --ca and --env-file, are for the kept one; a command with such options has a connection of its own. Without a name it shows the kept servers.',
  examples: [
    { line: 'tenon up everything', shows: 'start it once' },
    { line: 'tenon up', shows: 'the kept servers' },
  ],
  options: {
    idle: { type: 'time', help: 'End after this time without a command (30m)' },
    ...targetOptions,
    timeout: useOptions.timeout,
  },
  async run(call) {
    const { words, terminal, signal } = call
    // The rest of a connection is up to the command that uses it.
    const asking: ServerCall = { ...call, options: { ...absentOptions(useOptions), ...call.options }, envelope: {} }
    const identities: ServerIdentity[] = []
    for (const name of words) {
      const identity = await identityFor(asking, name)
      if (identity === undefined) throw unknownServer(name, await readServers(call.options.config, terminal))
      identities.push(identity)
    }
    const { idle = defaultIdleMs } = call.options
    await using control =
      words.length === 0
        ? await KeeperControl.find(terminal.surroundings, signal)
        : await KeeperControl.start(terminal.surroundings, idle, signal)
    for (const identity of identities) await keep(asking, identity, control!)
    const { servers = [], pid } = (await control?.state()) ?? {}
    await call.result({ pid, servers }, () => show(servers, terminal))
  },
})

/** Keeps a server and connects to it, so that one which cannot be used is told here. */
async function keep(call: ServerCall, identity: ServerIdentity, control: KeeperControl): Promise<void> {
  const { name } = identity
  // As later commands do.
  const plain = { config: call.options.config, timeout: call.options.timeout }
  const using = { ...call, options: { ...call.options, ...absentOptions(useOptions), ...plain } }
  let problem: string | undefined
  try {
    // A login that was needed, and is done with the first attempt, is there for the second.
    for (const _ of ['first', 'second']) {
      await keepServer(call, name, identity, control)
      const { client } =
        (await openKept(using, {}, [name])) ?? (await openTarget(call, await resolveTarget(call, [name])))
      await client.close()
      const found = (await control.state()).servers.find((server) => server.name === name)
      if (found?.state === 'connected') return
      problem = found?.problem
      await control.down(name)
    }
  } catch (error) {
    await control.down(name)
    throw error
  }
  throw new CommandFailure(ExitCode.Unreachable, 'not_kept', `${name} cannot be kept: ${problem ?? 'it is gone'}`)
}

function show(servers: readonly KeptServer[], terminal: Terminal): void {
  const { cyan, dim } = terminal.style
  if (servers.length === 0) {
    terminal.note(say`No servers are kept. tenon up <name> keeps one.`)
    return
  }
  const rows = servers.map(({ name, state, server = '', revision = '', problem = '' }) => [
    cyan(name),
    state,
    state === 'connected' ? `${server} ${revision}` : dim(problem),
  ])
  terminal.print(table(rows, terminal.columns))
}
