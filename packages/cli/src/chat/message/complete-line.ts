import type { Host } from '@tenon/host'
import { fileCandidates } from '../../complete/files.ts'
import { splitWords } from '../../repl/split.ts'
import type { Conversations } from '../conversations/conversations.ts'
import { slashCommands } from '../slash-commands.ts'
import { findPrompt, promptWord, suggestions } from './prompts.ts'

interface Completing {
  host: Host
  conversations: Conversations
  cwd: string
  signal: AbortSignal
}

/** The completions of a line of a chat: commands, prompts and their arguments, and resources after `@`. */
export async function completeLine(line: string, completing: Completing): Promise<[string[], string]> {
  const current = line.slice(line.search(/\S*$/))
  const found = await candidates(line, current, completing)
  return [found.filter((word) => word.startsWith(current)).sort(), current]
}

async function candidates(line: string, current: string, completing: Completing): Promise<string[]> {
  const { host, conversations, cwd } = completing
  if (current.startsWith('@')) return host.resources.map(({ server, resource }) => `@${server}:${resource.uri} `)
  if (!line.startsWith('/')) return []
  if (current === line) return [...slashCommands, ...host.prompts.map(promptWord)].map((word) => `${word} `)
  const [first] = line.split(/\s/, 1)
  if (first === '/save') return await fileCandidates(current, cwd)
  if (first === '/resume') return [...(await conversations.ids()), ...(await fileCandidates(current, cwd))]
  return await promptArguments(line, first!, current, completing)
}

async function promptArguments(
  line: string,
  first: string,
  current: string,
  { host, signal }: Completing,
): Promise<string[]> {
  const found = findPrompt(first, host)
  if (found === undefined) return []
  const before = splitWords(line.slice(0, line.length - current.length)).words.slice(1)
  const given = new Map(before.map((word) => [/^[^=]*/.exec(word)![0], word.slice(word.indexOf('=') + 1)]))
  const equals = current.indexOf('=')
  if (equals < 0) {
    const names = (found.prompt.arguments ?? []).map(({ name }) => name)
    return names.filter((name) => !given.has(name)).map((name) => `${name}=`)
  }
  const name = current.slice(0, equals)
  const values = await suggestions(found, name, current.slice(equals + 1), given, host, signal)
  return values.filter((value) => !/\s/.test(value)).map((value) => `${name}=${value} `)
}
