import { connectServer, type RunOptions } from '@tenon/replay'
import type { CommandCall } from '../command.ts'
import { usage } from '../exit.ts'
import { openServer } from '../server/connect.ts'
import type { connectionOptions } from '../server/options.ts'
import { version } from '../version.ts'

type Options = typeof connectionOptions
type Server = { server: { type: 'text'; value: string; help: string } }
type Call = CommandCall<Omit<Options, 'elicit' | 'sample'> & Server>

/** Opens the servers of saved calls: as the file says, by a name of a config file, or as the command line says. */
export const connectSaved =
  (call: Call): NonNullable<RunOptions['connect']> =>
  async (spec, options) => {
    const { command, url, config } = spec
    if (command !== undefined || url !== undefined) {
      return await connectServer(spec, { info: { name: 'tenon', title: 'Tenon', version }, ...options })
    }
    const word = config ?? call.options.server
    if (word === undefined && call.command === undefined) {
      throw usage('The file names no server', 'Give one with --server, or a program after --.')
    }
    // A name goes before the program that others of the same file may use.
    const asked = { ...call, command: word === undefined ? call.command : undefined } as unknown as CommandCall<Options>
    const { client } = await openServer(asked, options, word === undefined ? [] : [word])
    return client
  }
