import type { HostId, ServerEntry } from '../model.ts'
import { ConfigError, type Problem } from '../problem.ts'
import { toSnippet } from '../snippet.ts'

/** A link that installs a server in a host when it is clicked. */
export interface HostLink {
  host: HostId
  /** The host's name for people. */
  title: string
  /** Opens the host: for web pages and terminals. */
  url: string
  /** A page that leads to it, for places such as GitHub that allow web addresses only; missing if the host has none. */
  page?: string
  /** An image for READMEs. */
  badge: string
  /** Members that the link cannot express. */
  lost: Problem[]
}

/** The hosts that have install links. */
export const linkHosts: readonly HostId[] = ['vscode', 'cursor', 'lm-studio', 'goose']

/** Writes the install link of a server. Throws a `ConfigError` if the host has none for such a server. */
export async function toInstallLink(entry: ServerEntry, host: HostId): Promise<HostLink> {
  const { value, lost } = await toSnippet(entry, host)
  const made = makers.get(host)?.(entry, JSON.stringify(value))
  if (made === undefined) {
    const message = `there is no install link for it in ${host}; there is in ${linkHosts.join(', ')}`
    throw new ConfigError({ code: 'unsupported', message, path: [entry.name] })
  }
  return { host, ...made, lost: [...lost, ...(host === 'goose' ? valuesNotSaid(entry) : [])] }
}

type Made = Omit<HostLink, 'host' | 'lost'>

const makers: ReadonlyMap<HostId, (entry: ServerEntry, config: string) => Made | undefined> = new Map([
  ['vscode', vscodeLink],
  ['cursor', cursorLink],
  ['lm-studio', lmStudioLink],
  ['goose', gooseLink],
])

/** The whole entry is the query, its name and inputs among the members. */
function vscodeLink({ name, inputs }: ServerEntry, config: string): Made {
  const whole = { name, ...JSON.parse(config), ...(inputs && { inputs }) }
  const url = `vscode:mcp/install?${encodeURIComponent(JSON.stringify(whole))}`
  return {
    title: 'VS Code',
    url,
    page: `https://insiders.vscode.dev/redirect?url=${encodeURIComponent(url)}`,
    badge: 'https://img.shields.io/badge/VS_Code-Install_Server-0098FF?style=flat-square',
  }
}

function cursorLink(entry: ServerEntry, config: string): Made {
  const query = nameAndConfig(entry, config)
  return {
    title: 'Cursor',
    url: `cursor://anysphere.cursor-deeplink/mcp/install?${query}`,
    page: `https://cursor.com/install-mcp?${query}`,
    badge: 'https://cursor.com/deeplink/mcp-install-dark.svg',
  }
}

function lmStudioLink(entry: ServerEntry, config: string): Made {
  const query = nameAndConfig(entry, config)
  return {
    title: 'LM Studio',
    url: `lmstudio://add_mcp?${query}`,
    page: `https://lmstudio.ai/install-mcp?${query}`,
    badge: 'https://files.lmstudio.ai/deeplink/mcp-install-light.svg',
  }
}

const nameAndConfig = ({ name }: ServerEntry, config: string): string =>
  `name=${encodeURIComponent(name)}&config=${encodeURIComponent(Buffer.from(config).toString('base64'))}`

const valuesNotSaid = ({ name, transport }: ServerEntry): Problem[] =>
  Object.keys(transport.kind === 'stdio' ? transport.env : transport.headers).map((variable) => ({
    code: 'lost',
    message: 'in a link of Goose there are no values',
    path: [name, transport.kind === 'stdio' ? 'env' : 'headers', variable],
  }))

/** Variables are named, and their values asked for when the link is opened. */
function gooseLink({ name, transport }: ServerEntry): Made {
  const query = new URLSearchParams()
  if (transport.kind === 'stdio') {
    query.set('cmd', transport.command)
    for (const arg of transport.args) query.append('arg', arg)
    for (const variable of [...Object.keys(transport.env), ...(transport.envFromHost ?? [])])
      query.append('env', `${variable}=${variable}`)
  } else {
    query.set('url', transport.url)
    query.set('type', 'streamable_http')
  }
  query.set('id', name)
  query.set('name', name)
  const text = String(query).replaceAll('+', '%20')
  return {
    title: 'Goose',
    url: `goose://extension?${text}`,
    page: `https://block.github.io/goose/extension?${text}`,
    badge: 'https://block.github.io/goose/img/extension-install-dark.svg',
  }
}
