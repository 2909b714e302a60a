import type { HostId } from '../model.ts'
import type { Problem } from '../problem.ts'
import { isTree, type Tree } from '../read/tree.ts'
import { halves } from './command-line.ts'

/** The server that a command adds to a host. */
interface AddCommand {
  host: HostId
  name: string
  entry: Tree
}

const incomplete: Problem = {
  code: 'syntax',
  message: 'expected a name, and a command or a URL, in the command that adds a server',
}

/**
 * Reads commands that documentation tells people to run: `claude mcp add …`, `claude mcp add-json …`, `codex mcp add …`,
 * `gemini mcp add …` and `code --add-mcp …`. Undefined for any other command.
 */
export function readAddCommand(words: readonly string[]): AddCommand | Problem | undefined {
  const [program = '', first, second, ...rest] = words
  const name = program.replace(/^.*[\\/]/, '').replace(/\.(?:exe|cmd)$/i, '')
  if (/^code(?:-insiders)?$/.test(name) && first === '--add-mcp') return fromJson('vscode', undefined, second)
  if (!/^(?:claude|codex|gemini)$/.test(name) || first !== 'mcp') return undefined
  if (second === 'add-json') {
    const [server, json] = rest.filter(
      (word, index) => !word.startsWith('-') && !/^(?:-s|--scope)$/.test(rest[index - 1] ?? ''),
    )
    return fromJson('claude-code', server, json)
  }
  return second === 'add' ? fromOptions(rest) : undefined
}

function fromJson(host: HostId, name: string | undefined, json = ''): AddCommand | Problem {
  try {
    const value: unknown = JSON.parse(json)
    if (!isTree(value)) return incomplete
    const { name: own, ...entry } = value
    const called = name ?? own
    return typeof called === 'string' ? { host, name: called, entry } : incomplete
  } catch {
    return { code: 'syntax', message: 'expected JSON in the command that adds a server' }
  }
}

/** Options that take a value, and its meaning. */
const options: ReadonlyMap<string, 'env' | 'header' | 'transport' | 'url' | 'bearer' | 'other'> = new Map([
  ['-e', 'env'],
  ['--env', 'env'],
  ['-H', 'header'],
  ['--header', 'header'],
  ['-t', 'transport'],
  ['--transport', 'transport'],
  ['--url', 'url'],
  ['--bearer-token-env-var', 'bearer'],
  ['-s', 'other'],
  ['--scope', 'other'],
  ['--client-id', 'other'],
  ['--callback-port', 'other'],
  ['--timeout', 'other'],
])

function fromOptions(words: readonly string[]): AddCommand | Problem {
  const given = { env: [] as string[], header: [] as string[], transport: '', url: '', bearer: '', other: '' }
  const positional: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!
    const [option, inline] = /^(--[\w-]+)=(.*)$/s.exec(word)?.slice(1) ?? [word]
    const meaning = options.get(option!)
    if (word === '--' || (positional.length === 2 && meaning === undefined)) {
      positional.push(...words.slice(word === '--' ? index + 1 : index))
      break
    }
    if (meaning === undefined) {
      if (!word.startsWith('-')) positional.push(word)
      continue
    }
    const value = inline ?? words[++index] ?? ''
    if (meaning === 'env' || meaning === 'header') given[meaning].push(value)
    else given[meaning] = value
  }
  const [name, target = given.url, ...args] = positional
  if (name === undefined || target === '') return incomplete
  return { host: 'generic', name, entry: entryOf(target, args, given) }
}

function entryOf(
  target: string,
  args: readonly string[],
  given: { env: string[]; header: string[]; transport: string; bearer: string },
): Tree {
  const pairs = (texts: readonly string[], separator: string): Tree =>
    Object.fromEntries(texts.map((text) => halves(text, separator)).map(([name, value]) => [name, value.trim()]))
  const type = given.transport === '' ? {} : { type: given.transport }
  if (!/^(?:https?|wss?):/i.test(target)) return { command: target, args, env: pairs(given.env, '=') }
  const bearer = given.bearer === '' ? {} : { Authorization: `Bearer \${${given.bearer}}` }
  return { ...type, url: target, headers: { ...bearer, ...pairs(given.header, ':') } }
}
