import type { CommandCall } from '../command.ts'
import { usage } from '../exit.ts'
import type { connectionOptions } from './options.ts'
import type { ResolvedTarget } from './target.ts'

/** A server that a config file has a name for. */
export async function configuredTarget(
  _call: CommandCall<typeof connectionOptions>,
  name: string,
): Promise<Omit<ResolvedTarget, 'words'>> {
  throw usage(`No config file has a server named ${JSON.stringify(name)}`)
}
