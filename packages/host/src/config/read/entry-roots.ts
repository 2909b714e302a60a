import { entryFormats } from '../hosts/entry-formats.ts'
import type { HostId, Scope } from '../model.ts'
import { describeType, type Problem } from '../problem.ts'
import { isTree, member, memberAt, type Tree } from './tree.ts'

/** A place in a file where entries are, and the entries: name, value, and the steps from the place to them. */
export interface FoundRoot {
  path: readonly (string | number)[]
  scope?: Scope
  folder?: string
  entries: [name: string, value: unknown, step: (string | number)[]][]
  problems: Problem[]
}

interface RootOptions {
  projects?: readonly string[]
  file?: string
}

/** The places of a file in which there are entries. */
export function rootsIn(value: unknown, host: HostId, options: RootOptions): FoundRoot[] {
  const found: FoundRoot[] = []
  for (const { path, list } of entryFormats[host].roots) {
    const root = memberAt(value, path)
    // A server may be called like the member in which newer versions keep all of them.
    if (root === undefined || root === null || looksLikeEntry(root)) continue
    found.push(entriesIn(root, path, list === true))
    if (host === 'opencode') break
  }
  if (host === 'claude-code') return [...localRoots(value, options.projects), ...found]
  return host === 'continue' && found.length === 0 && looksLikeEntry(value) ? [wholeFile(value, options.file)] : found
}

/** Continue takes a file that is one entry, and calls the server like the file. */
function wholeFile(value: unknown, file = 'server'): FoundRoot {
  const name = file.replace(/^.*[\\/]/s, '').replace(/\.\w+$/, '')
  return { path: [], entries: [[name, value, []]], problems: [] }
}

/** Servers under the member of another host, which this host would silently ignore. */
export function strayServers(value: unknown, host: HostId): Problem[] {
  const names = ['mcpServers', 'servers'].filter((name) => {
    const entries = member(value, name)
    return isTree(entries) && Object.values(entries).some(looksLikeEntry)
  })
  const expected = entryFormats[host].roots[0]!.path.join('.')
  return names.map((name) => ({ code: 'shape', message: `this host looks for servers in ${expected}`, path: [name] }))
}

/** Whether an object is an entry rather than an object of entries. */
export const looksLikeEntry = (value: unknown): boolean =>
  ['command', 'cmd', 'url', 'serverUrl', 'httpUrl', 'uri', 'type', 'target'].some((name) => {
    const found = member(value, name)
    return typeof found === 'string' || Array.isArray(found)
  })

/** Entries by name. */
export const entriesOf = (entries: Tree): FoundRoot['entries'] =>
  Object.entries(entries).map(([name, entry]) => [name, entry, [name]])

function entriesIn(root: unknown, path: readonly string[], list: boolean): FoundRoot {
  const found: FoundRoot = { path, entries: [], problems: [] }
  // Files that were written for another host are put into folders of hosts with lists, and understood there.
  if (isTree(root)) found.entries = entriesOf(root)
  else if (list && Array.isArray(root)) {
    found.entries = root.map((entry, index) => [nameOf(entry, index), entry, [index]])
  } else {
    const message = `expected ${list ? 'a list' : 'an object'} of servers, found ${describeType(root)}`
    found.problems.push({ code: 'shape', message, path })
  }
  return found
}

/** The name of an entry in a list. */
export function nameOf(entry: unknown, index: number): string {
  const name = member(entry, 'name')
  return typeof name === 'string' && name !== '' ? name : `server-${index + 1}`
}

/** Claude Code keeps a user's servers of one project under the path of the project. */
function localRoots(value: unknown, projects: readonly string[] | undefined): FoundRoot[] {
  const all = member(value, 'projects')
  if (!isTree(all)) return []
  const wanted = projects?.map(comparable)
  const folders = Object.keys(all).filter((folder) => wanted === undefined || wanted.includes(comparable(folder)))
  const found = folders.map((folder): FoundRoot | undefined => {
    const servers = memberAt(all, [folder, 'mcpServers'])
    if (servers === undefined) return undefined
    return { ...entriesIn(servers, ['projects', folder, 'mcpServers'], false), scope: 'local', folder }
  })
  return found.filter((root) => root !== undefined)
}

/** Paths of Windows are written with either slash and in any case. */
function comparable(folder: string): string {
  const path = folder.replaceAll('\\', '/').replace(/(?<=.)\/$/, '')
  return /^[a-z]:/i.test(path) ? path.toLowerCase() : path
}
