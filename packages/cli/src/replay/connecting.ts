import { connectServer, type RunOptions } from '@tenon/replay'
import { connect } from '@tenon/sdk/client'
import type { CommandCall } from '../command.ts'
import { usage } from '../exit.ts'
import type { connectionOptions } from '../server/options.ts'
import { resolveTarget } from '../server/target.ts'
import { version } from '../version.ts'

type Call = CommandCall<
  Omit<typeof connectionOptions, 'elicit' | 'sample'> & { server: { type: 'text'; value: string; help: string } }
>

/** Opens the servers of saved calls: as the file says, by a name of a config file, or as the command line says. */
export const connecting =
  (call: Call): NonNullable<RunOptions['connect']> =>
  async (spec, given) => {
    const options = { info: { name: 'tenon', title: 'Tenon', version }, ...given }
    const { command, url, config } = spec
    if (command !== undefined || url !== undefined) return await connectServer(spec, options)
    const word = config ?? call.options.server
    if (word === undefined && call.command === undefined) {
      throw usage('The file names no server', 'Give one with --server, or a program after --.')
    }
    const resolved = await resolveTarget({
      ...(call as unknown as CommandCall<typeof connectionOptions>),
      words: word === undefined ? [] : [word],
      command: word === undefined ? call.command : undefined,
    })
    return await connect(resolved.target, { ...resolved.options, ...options })
  }
