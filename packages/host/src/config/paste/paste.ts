import { hostOf } from '../hosts/hosts.ts'
import type { HostId, ServerEntry, Transport } from '../model.ts'
import type { Problem } from '../problem.ts'
import { looksLikeEntry, nameOf } from '../read/entry-roots.ts'
import { type Format, parseText } from '../read/parse-text.ts'
import { readEntries, readTree } from '../read/read-config.ts'
import { isTree, member, treeOf } from '../read/tree.ts'
import { readAddCommand } from './add-command.ts'
import { halves, isUrl, splitCommand } from './command-line.ts'
import { type InstallLink, readInstallLink } from './install-links.ts'

/** The servers in a pasted text. */
export interface Pasted {
  entries: ServerEntry[]
  problems: Problem[]
}

/** How long a pasted text may be. */
const maxLength = 1024 * 1024

/**
 * Reads a pasted text: a config file of any host or a part of one, an install link, a URL, or a command line, also one
 * that adds a server to a host. Never throws; text that is none of these is a problem.
 */
export async function parsePasted(text: string): Promise<Pasted> {
  if (text.length > maxLength) return refused({ code: 'too_large', message: `is longer than ${maxLength} characters` })
  const plain = withoutFence(text.replace(/^\uFEFF/, '')).trim()
  if (plain === '') return refused({ code: 'syntax', message: 'there is nothing here' })
  const link = readInstallLink(plain)
  if (link !== undefined) return 'code' in link ? refused(link) : fromLink(link)
  if (isUrl(plain)) return { entries: [entryFor({ kind: kindOfUrl(plain), url: plain, headers: {} })], problems: [] }
  const format = formatOfText(plain)
  return format === undefined ? fromCommand(plain) : fromText(plain, format)
}

const refused = (problem: Problem): Pasted => ({ entries: [], problems: [problem] })

/** Code is often copied from Markdown, fence and all. */
function withoutFence(text: string): string {
  const lines = text.trim().split('\n')
  const fence = /^(?:```|~~~)/.exec(lines[0]!)?.[0]
  return fence !== undefined && lines.length > 1 && lines.at(-1)!.trim() === fence
    ? lines.slice(1, -1).join('\n')
    : text
}

const kindOfUrl = (url: string): 'http' | 'websocket' => (/^ws/i.test(url) ? 'websocket' : 'http')

function formatOfText(text: string): Format | undefined {
  if (/^[{[]\s*(?:[}"{\]]|\/[/*]|$)/.test(text) || /^\/[/*]/.test(text)) return 'json'
  if (/^"(?:[^"\\]|\\.)*"\s*:/.test(text)) return 'json'
  if (/^[ \t]*\[mcp_servers\b/m.test(text)) return 'toml'
  return /^(?:---|(?:mcpServers|extensions|mcp|servers)\s*:)/m.test(text) || /^[\w-]+:[ \t]*\r?\n[ \t]+\w+:/.test(text)
    ? 'yaml'
    : undefined
}

async function fromText(text: string, format: Format): Promise<Pasted> {
  // Part of an object, as one copies it out of a file.
  const whole = format === 'json' && text.startsWith('"') ? `{${text.replace(/,\s*$/, '')}}` : text
  const { value, problem } = await parseText(whole, format)
  if (problem) return refused(problem)
  const config = fromValue(value, format)
  if (config.entries.length > 0 || config.problems.length > 0) return config
  return refused({ code: 'shape', message: 'there is no server in this' })
}

/** A file, one entry alone, a list of entries, or entries by name. */
function fromValue(value: unknown, format: Format): Pasted {
  if (Array.isArray(value))
    return readEntries('generic', treeOf(value.map((entry, index) => [nameOf(entry, index), entry])))
  if (!isTree(value)) return refused({ code: 'shape', message: 'expected an object' })
  if (looksLikeEntry(value)) {
    const name = member(value, 'name')
    return readEntries(hostOfEntry(value), treeOf([[typeof name === 'string' ? name : guessName(value), value]]))
  }
  const config = readTree(value, format, { scope: 'user' })
  if (config.entries.length > 0 || config.problems.length > 0) return config
  const [first] = Object.values(value)
  const entries = Object.entries(value).filter(([, entry]) => looksLikeEntry(entry))
  return entries.length === 0 ? config : readEntries(hostOfEntry(first), treeOf(entries))
}

/** The host that writes entries like this one. */
function hostOfEntry(entry: unknown): HostId {
  if (Array.isArray(member(entry, 'command'))) return 'opencode'
  return typeof member(entry, 'cmd') === 'string' ? 'goose' : 'generic'
}

function guessName(entry: unknown): string {
  const url = ['url', 'serverUrl', 'httpUrl', 'uri'].map((name) => member(entry, name)).find(isText)
  const command = [member(entry, 'command')].flat().find(isText) ?? ''
  const args = [member(entry, 'command'), member(entry, 'args')].flat().filter(isText).slice(1)
  return url === undefined ? nameFromCommand([command, ...args]) : nameFromUrl(url)
}

const isText = (value: unknown): value is string => typeof value === 'string'

function fromLink({ host, name, entry, inputs }: InstallLink): Pasted {
  const { name: _, inputs: __, ...members } = entry
  return readEntries(host, treeOf([[name, members]]), inputs)
}

function fromCommand(line: string): Pasted {
  const split = splitCommand(line.replace(/^[$>]\s+/, ''))
  if ('refused' in split) return refused({ code: 'syntax', message: split.refused })
  const added = readAddCommand(split.words)
  if (added !== undefined)
    return 'code' in added ? refused(added) : readEntries(added.host, treeOf([[added.name, added.entry]]))
  const start = split.words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  if (start < 0) return refused({ code: 'syntax', message: 'expected a command after the variables' })
  const env = Object.fromEntries(split.words.slice(0, start).map((word) => halves(word, '=')))
  const [command, ...args] = split.words.slice(start)
  return { entries: [entryFor({ kind: 'stdio', command: command!, args, env })], problems: [] }
}

/** An entry for a transport that was pasted without a name. */
function entryFor(transport: Transport): ServerEntry {
  const name =
    transport.kind === 'stdio' ? nameFromCommand([transport.command, ...transport.args]) : nameFromUrl(transport.url)
  const { id: host, title } = hostOf('generic')
  return { name, source: { host, title, scope: 'user', path: [] }, transport, problems: [] }
}

/** `https://mcp.example.com/mcp` is called `example`. */
function nameFromUrl(url: string): string {
  if (!URL.canParse(url)) return 'server'
  const parts = new URL(url).hostname
    .split('.')
    .filter((part) => !/^(?:www|mcp|api|com|org|net|io|dev|ai|app)$/.test(part))
  return parts[0] || 'server'
}

const runners =
  /^(?:npx|bunx|pnpx|uvx|pipx|node|bun|deno|python3?|uv|docker|podman|npm|pnpm|yarn|cmd|run|exec|dlx|tool|x)$/

/** `npx -y @scope/server-files@1.2` is called `server-files`. */
function nameFromCommand(words: readonly string[]): string {
  const names = words.map((word) => word.replace(/^.*[\\/](?=[^\\/]+[\\/]?$)/, '').replace(/\.(?:exe|cmd)$/i, ''))
  const telling = names.filter((word) => /^@?[A-Za-z]/.test(word) && !runners.test(word) && !word.includes('='))
  return (telling[0] ?? names[0] ?? '').replace(/(?<=.)@[^@]*$/, '').replace(/\.\w+$/, '') || 'server'
}
