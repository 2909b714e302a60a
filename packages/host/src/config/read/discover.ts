import { type ConfigFile, findConfigFiles, projectFolders } from '../hosts/config-files.ts'
import { foldersOf, type Whereabouts } from '../hosts/folders.ts'
import { hosts } from '../hosts/hosts.ts'
import type { HostId, Scope, ServerEntry } from '../model.ts'
import type { Problem } from '../problem.ts'
import { readConfig } from './read-config.ts'

/** Every server that the hosts on this machine know about. */
export interface Discovered {
  /** Those that are used first; entries of the same name follow, each saying which one is used instead. */
  entries: ServerEntry[]
  files: ConfigFile[]
  /** Of files and of entries that cannot be used; those of usable entries are with them. */
  problems: Problem[]
}

export interface DiscoverOptions extends Whereabouts {
  /** Only files of these hosts are read. */
  hosts?: readonly HostId[]
}

/** Reads the files of every host. A broken one is among the problems and hides nothing else. */
export async function discoverServers(options: DiscoverOptions = {}): Promise<Discovered> {
  const { hosts: wanted } = options
  const found = await findConfigFiles(options)
  const projects = projectFolders(foldersOf(options))
  const files = found.filter(({ host }) => wanted === undefined || wanted.includes(host))
  const configs = await Promise.all(files.map((file) => readConfig(file, { projects })))
  const entries = configs.flatMap((config) => config.entries)
  return { entries: inOrder(entries, projects), files, problems: configs.flatMap(({ problems }) => problems) }
}

const scopes: readonly Scope[] = ['managed', 'local', 'project', 'user']

/** The order in which entries of the same name win: by scope, by how near the project is, then by host. */
function inOrder(entries: readonly ServerEntry[], projects: readonly string[]): ServerEntry[] {
  const rank = ({ source }: ServerEntry): number[] => [
    scopes.indexOf(source.scope),
    source.folder === undefined ? 0 : projects.indexOf(source.folder),
    hosts.findIndex(({ id }) => id === source.host),
  ]
  const ranked = entries.map((entry) => ({ entry, rank: rank(entry) }))
  ranked.sort((a, b) => a.rank.map((part, index) => part - b.rank[index]!).find((difference) => difference !== 0) ?? 0)
  return markShadowed(ranked.map(({ entry }) => entry))
}

/** Says of each entry whose name was used before which entry that was. Entries that are switched off shadow nothing. */
function markShadowed(entries: readonly ServerEntry[]): ServerEntry[] {
  const first = new Map<string, ServerEntry>()
  for (const entry of entries) if (!entry.disabled && !first.has(entry.name)) first.set(entry.name, entry)
  return entries.map((entry) => {
    const used = first.get(entry.name)
    return used === undefined || used === entry || entry.disabled ? entry : { ...entry, shadowedBy: used.source }
  })
}

/** The entry for a name, or for `host:name` where several hosts have one. */
export function findServer(entries: readonly ServerEntry[], name: string): ServerEntry | undefined {
  const named = entries.filter((entry) => entry.name === name)
  const [host, ...rest] = name.split(':')
  const ofHost = entries.filter((entry) => entry.source.host === host && entry.name === rest.join(':'))
  const all = [...named, ...ofHost]
  return all.find((entry) => !entry.disabled) ?? all[0]
}
