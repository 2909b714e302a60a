import type { ServerEntry } from '@tenon/host/config'
import { builtInName } from '../server/built-in.ts'
import { readServers, unknownServer } from '../server/configured.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { withFullPaths } from './given-servers.ts'

/** The server of a name, as its file has it; the one that is built in is fetched with npx. */
export async function knownServer(name: string, config: string | undefined, terminal: Terminal): Promise<ServerEntry> {
  const { findServer } = await import('@tenon/host/config')
  const found = await readServers(config, terminal)
  const entry = findServer(found.entries, name)
  if (entry !== undefined) {
    // Whether it is switched on in its own file means nothing elsewhere.
    const { disabled: _, ...on } = entry
    return entry.source.folder === undefined ? on : withFullPaths(on, entry.source.folder)
  }
  if (name !== builtInName || config !== undefined) throw unknownServer(name, found)
  const source = { host: 'generic', title: '', scope: 'user', path: [] } as const
  const transport = { kind: 'stdio' as const, command: 'npx', args: ['-y', 'tenon', 'run', builtInName], env: {} }
  return { name, source, transport, problems: [] }
}

/** Whether a file has a server of this name. */
export async function isKnown(name: string, config: string | undefined, terminal: Terminal): Promise<boolean> {
  const { findServer } = await import('@tenon/host/config')
  return findServer((await readServers(config, terminal)).entries, name) !== undefined
}
