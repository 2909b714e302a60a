import type { ConfigFile, HostId, ServerEntry } from '@tenon/host/config'
import { usage } from '../exit.ts'
import { readServers, unknownServer } from '../server/configured.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { placeOfFile } from './places.ts'

interface Wanted {
  /** The hosts whose files are meant; without them the name has to be in one file only. */
  hosts: readonly HostId[]
  scope: string | undefined
  config: string | undefined
}

/** The files that have a server of this name. */
export async function placesOf(name: string, wanted: Wanted, terminal: Terminal): Promise<ConfigFile[]> {
  const { hosts, scope, config } = wanted
  if (config !== undefined) return [await placeOfFile(config, terminal.surroundings)]
  const found = await readServers(undefined, terminal)
  const all = found.entries.filter((entry) => entry.name === name || `${entry.source.host}:${entry.name}` === name)
  if (all.length === 0) throw unknownServer(name, found)
  const meant = all
    .filter(({ source }) => hosts.length === 0 || hosts.includes(source.host))
    .filter(({ source }) => scope === undefined || source.scope === scope)
  for (const host of hosts) {
    if (!meant.some(({ source }) => source.host === host))
      throw usage(`${name} is not in a file of ${host}`, `It is in ${listed(all)}.`)
  }
  if (meant.length === 0) throw usage(`${name} is in no such file`, `It is in ${listed(all)}.`)
  if (hosts.length === 0 && meant.length > 1)
    throw usage(`${name} is in several files: ${listed(meant)}`, hintFor(meant))
  return meant.map(placeOfEntry)
}

const listed = (entries: readonly ServerEntry[]): string => entries.map(({ source }) => source.file).join(', ')

function hintFor(entries: readonly ServerEntry[]): string {
  const hosts = new Set(entries.map(({ source }) => source.host))
  return hosts.size === 1 ? 'Say which with --scope or --config.' : `Say which with --from ${[...hosts].join(',')}.`
}

/** Entries of the organisation, and those that a host keeps for one project, are not ours to change. */
function placeOfEntry({ name, source }: ServerEntry): ConfigFile {
  const { host, title, scope, file, folder } = source
  if (scope === 'managed') throw usage(`${name} is in ${file}, which belongs to the organisation`)
  if (scope === 'local')
    throw usage(`${title} has ${name} for this project only, in ${file}`, `Change it with ${title} itself.`)
  return { host, title, scope, file: file!, ...(folder !== undefined && { folder }) }
}
