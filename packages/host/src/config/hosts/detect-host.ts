import type { HostId } from '../model.ts'
import type { Format } from '../read/parse-text.ts'
import { isTree, member, memberAt } from '../read/tree.ts'
import { foldersOf } from './folders.ts'
import { hosts } from './hosts.ts'

/** The format of a file, by its name. */
export function formatOf(file: string): Format {
  if (/\.toml$/i.test(file)) return 'toml'
  return /\.ya?ml$/i.test(file) ? 'yaml' : 'json'
}

/** The host whose file this is, by where it lies. */
export function hostByPath(file: string): HostId | undefined {
  const path = file.replaceAll('\\', '/')
  return endings().find(([ending]) => path === ending || path.endsWith(`/${ending}`))?.[1]
}

let known: [string, HostId][] | undefined

/** How the paths of files end, the longest first. */
function endings(): [string, HostId][] {
  if (known !== undefined) return known
  const home = '/home-of-nobody'
  const all = hosts.flatMap((host) => {
    const files = (['linux', 'darwin', 'win32'] as const).flatMap(
      (platform) => host.user?.(foldersOf({ home, cwd: home, env: {}, platform })) ?? [],
    )
    const fromHome = files.map((file) => file?.replaceAll('\\', '/').replace(`${home}/`, '') ?? '')
    // The folder of application data differs by platform; the path in it does not.
    const short = fromHome.map((file) => file.replace(/^(?:Library\/Application Support|AppData\/\w+|\.config)\//, ''))
    return [...(host.project ?? []), ...short].map((ending): [string, HostId] => [ending, host.id])
  })
  known = all.filter(([ending]) => ending !== '' && !ending.endsWith('/')).sort(([a], [b]) => b.length - a.length)
  return known
}

/** The host that writes files like this one. */
export function hostByShape(value: unknown, format: Format): HostId {
  if (member(value, 'mcp_servers') !== undefined) return 'codex'
  if (member(value, 'context_servers') !== undefined) return 'zed'
  const servers = member(value, 'mcpServers')
  if (Array.isArray(servers)) return 'continue'
  if (servers !== undefined) return isTree(member(value, 'projects')) ? 'claude-code' : 'generic'
  if (isTree(member(value, 'projects'))) return 'claude-code'
  if (isTree(member(value, 'extensions')) && format === 'yaml') return 'goose'
  if (member(value, 'servers') !== undefined || memberAt(value, ['customizations', 'vscode']) !== undefined)
    return 'vscode'
  const mcp = member(value, 'mcp')
  if (mcp === undefined) return 'generic'
  if (format === 'yaml') return 'fast-agent'
  if (someEntry(member(mcp, 'servers'), writtenByOpenCode) || someEntry(mcp, writtenByOpenCode)) return 'opencode'
  return isTree(member(mcp, 'servers')) ? 'vscode' : 'crush'
}

const someEntry = (entries: unknown, test: (entry: unknown) => boolean): boolean =>
  isTree(entries) && Object.values(entries).some(test)

const writtenByOpenCode = (entry: unknown): boolean =>
  Array.isArray(member(entry, 'command')) || ['local', 'remote'].includes(String(member(entry, 'type')))
