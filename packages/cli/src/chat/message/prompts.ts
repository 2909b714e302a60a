import type { Host, HostPrompt } from '@tenon/host'
import type { UserPart } from '@tenon/host/chat'
import { usage } from '../../exit.ts'
import { splitWords } from '../../repl/split.ts'
import type { Keyboard } from '../../terminal/keyboard.ts'
import { say } from '../../terminal/text.ts'
import { contentParts } from './attachments.ts'

/** The word with which a prompt is used. */
export const promptWord = ({ server, prompt }: HostPrompt): string => `/${server}.${prompt.name}`

export const findPrompt = (word: string, host: Host): HostPrompt | undefined =>
  host.prompts.find((prompt) => promptWord(prompt) === word)

/** The message of a prompt: `/server.prompt name=value`. Required arguments that are missing are asked for. */
export async function promptMessage(
  line: string,
  found: HostPrompt,
  host: Host,
  keyboard: Keyboard,
  signal: AbortSignal,
): Promise<UserPart[]> {
  const { server, prompt } = found
  const given = givenArguments(splitWords(line).words.slice(1), found)
  for (const { name, description, required } of prompt.arguments ?? []) {
    if (!required || given.has(name)) continue
    const complete = async (typed: string): Promise<[string[], string]> => [
      await suggestions(found, name, typed, given, host, signal),
      typed,
    ]
    const about = description === undefined ? say`` : say` (${description})`
    const typed = await keyboard.read(say`${name}${about}: `, { signal, complete })
    if (typed === undefined) throw new DOMException('Cancelled', 'AbortError')
    given.set(name, typed.trim())
  }
  const { messages } = await host.getPrompt(server, prompt.name, Object.fromEntries(given), { signal })
  return messages.flatMap(({ role, content }): UserPart[] => {
    const parts = contentParts(content, server)
    return role === 'assistant' ? [{ type: 'text', text: 'An earlier answer of yours:' }, ...parts] : parts
  })
}

function givenArguments(words: readonly string[], { prompt }: HostPrompt): Map<string, string> {
  const names = (prompt.arguments ?? []).map(({ name }) => name)
  return new Map(
    words.map((word): [string, string] => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? []
      if (name !== undefined && names.includes(name)) return [name, value!]
      throw usage(
        `Expected arguments as name=value (${names.join(', ') || 'there are none'}), got ${JSON.stringify(word)}`,
      )
    }),
  )
}

/** The values that a server suggests for an argument; none if it does not answer. */
export async function suggestions(
  { server, prompt }: HostPrompt,
  name: string,
  typed: string,
  others: ReadonlyMap<string, string>,
  host: Host,
  signal: AbortSignal,
): Promise<string[]> {
  const ref = { type: 'ref/prompt', name: prompt.name } as const
  const context = { arguments: Object.fromEntries(others) }
  const found = await host.complete(server, ref, { name, value: typed }, { context, signal, timeoutMs: 2_000 })
  return [...found.values]
}
