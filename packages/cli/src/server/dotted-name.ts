import type { CommandCall } from '../command.ts'
import { builtInName } from './built-in.ts'
import { readServers } from './configured.ts'
import type { targetOptions } from './options.ts'

/** The words of a command with `server.tool` as two words. A server whose name has a dot in it is found first. */
export async function splitDottedName(call: CommandCall<typeof targetOptions>): Promise<string[]> {
  const [first = '', ...rest] = call.words
  if (call.shared || call.command || !/^[^/]+\.[^/]/.test(first)) return call.words
  const { config } = call.options
  const { findServer } = await import('@tenon/host/config')
  const { entries } = await readServers(config, call.terminal)
  const isServer = (name: string): boolean =>
    findServer(entries, name) !== undefined || (name === builtInName && config === undefined)
  if (isServer(first)) return call.words
  for (let dot = first.lastIndexOf('.'); dot > 0; dot = first.lastIndexOf('.', dot - 1)) {
    if (isServer(first.slice(0, dot))) return [first.slice(0, dot), first.slice(dot + 1), ...rest]
  }
  return call.words
}
