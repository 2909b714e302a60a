import type { Problem } from '../problem.ts'
import { isTree, member, type Tree, treeOf } from '../read/tree.ts'

/** The server of an install link: its name and its entry, as the host writes it. */
export interface InstallLink {
  host: 'vscode' | 'cursor' | 'goose' | 'lm-studio'
  name: string
  entry: Tree
  inputs?: unknown
}

const protocols: ReadonlyMap<string, InstallLink['host']> = new Map([
  ['vscode:', 'vscode'],
  ['vscode-insiders:', 'vscode'],
  ['cursor:', 'cursor'],
  ['goose:', 'goose'],
  ['lmstudio:', 'lm-studio'],
])

/** Reads a link that installs a server in a host; undefined if the text is no such link. */
export function readInstallLink(text: string): InstallLink | Problem | undefined {
  if (/\s/.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const host = protocols.get(url.protocol) ?? hostOfPage(url)
  if (host === undefined) return undefined
  const inner = url.protocol === 'https:' && host !== 'goose' ? url.searchParams.get('url') : null
  // One page leads to one link: pages that lead to pages could go on forever.
  if (inner !== null) return /^https:/i.test(inner) ? broken : readInstallLink(inner)
  if (host === 'goose') return gooseLink(url)
  if (host === 'vscode' && !url.searchParams.has('config')) return vscodeLink(url)
  const config = jsonIn(url.searchParams.get('config') ?? '')
  const name = url.searchParams.get('name') ?? member(config, 'name')
  if (!isTree(config) || typeof name !== 'string') return broken
  return { host, name, entry: config, inputs: jsonIn(url.searchParams.get('inputs') ?? '') }
}

/** Pages that lead to links, for places where only web addresses can be clicked. */
function hostOfPage({ protocol, hostname, pathname }: URL): InstallLink['host'] | undefined {
  if (protocol !== 'https:') return undefined
  if (/^(?:insiders\.)?vscode\.dev$/.test(hostname) && pathname.startsWith('/redirect')) return 'vscode'
  if (/^(?:www\.)?cursor\.com$/.test(hostname) && pathname.includes('/install-mcp')) return 'cursor'
  if (hostname === 'block.github.io' && pathname === '/goose/extension') return 'goose'
  return /^(?:www\.)?lmstudio\.ai$/.test(hostname) && pathname.includes('/install-mcp') ? 'lm-studio' : undefined
}

const broken: Problem = { code: 'syntax', message: 'expected an install link with a name and a config' }

/** The whole entry is the query, its name among the members. */
function vscodeLink(url: URL): InstallLink | Problem {
  const config = jsonIn(url.search.slice(1))
  const name = member(config, 'name')
  return isTree(config) && typeof name === 'string'
    ? { host: 'vscode', name, entry: config, inputs: member(config, 'inputs') }
    : broken
}

function gooseLink({ searchParams: query }: URL): InstallLink | Problem {
  const [cmd, uri, name] = [query.get('cmd'), query.get('url'), query.get('name') ?? query.get('id')]
  if (name === null || (cmd === null && uri === null)) return broken
  const pairs = query.getAll('env').map((pair) => pair.split('=') as [string, string?])
  // A link names the variables that the user has to fill in, with a description each.
  const names = pairs.map(([variable]) => variable)
  const reached =
    uri === null
      ? { type: 'stdio', cmd, args: query.getAll('arg') }
      : { type: query.get('type') ?? 'streamable_http', uri }
  const timeout = Number(query.get('timeout'))
  return { host: 'goose', name, entry: { ...reached, env_keys: names, ...(timeout > 0 && { timeout }) } }
}

/** JSON as it is put into links: as text, or in either alphabet of base64. */
function jsonIn(text: string): unknown {
  for (const read of [(): string => text, () => decodeURIComponent(text), () => fromBase64(text)]) {
    try {
      const value: unknown = JSON.parse(read())
      if (isTree(value) || Array.isArray(value)) return isTree(value) ? treeOf(Object.entries(value)) : value
    } catch {}
  }
  return undefined
}

function fromBase64(text: string): string {
  // A plus sign in a query is read as a space.
  const plain = text.replaceAll(' ', '+').replaceAll('-', '+').replaceAll('_', '/')
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(plain, 'base64'))
}
