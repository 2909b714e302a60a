import type { Client, Prompt, Resource, ResourceTemplate, Tool } from '@tenon/sdk/client'
import { ErrorCode } from '@tenon/sdk/client'
import { CommandFailure, usage } from '../exit.ts'
import { type Explained, explain } from '../explain.ts'
import { didYouMean } from '../line/did-you-mean.ts'
import { signature } from '../show/signature.ts'
import { collect } from '../values/find-by-name.ts'

/** An item of a list as it is shown: its name, its first sentence, and details. */
export interface Row {
  name: string
  about: string
  /** Arguments, or the type of a resource. */
  detail: string
}

interface List {
  capability: string
  items(client: Client): AsyncIterable<object>
  row(item: never): Row
}

/** The lists that a server can have, and how they are printed. */
export const lists: ReadonlyMap<string, List> = new Map<string, List>([
  ['tools', { capability: 'tools', items: (client) => client.tools(), row: toolRow }],
  ['resources', { capability: 'resources', items: (client) => client.resources(), row: resourceRow }],
  ['templates', { capability: 'resources', items: (client) => client.resourceTemplates(), row: templateRow }],
  ['prompts', { capability: 'prompts', items: (client) => client.prompts(), row: promptRow }],
])

function toolRow({ name, inputSchema, description, title }: Tool): Row {
  return { name, about: firstSentence(description ?? title), detail: signature(inputSchema) }
}

function resourceRow({ uri, name, mimeType, description }: Resource): Row {
  return { name: uri, about: firstSentence(description ?? name), detail: mimeType ?? '' }
}

function templateRow({ uriTemplate, name, mimeType, description }: ResourceTemplate): Row {
  return { name: uriTemplate, about: firstSentence(description ?? name), detail: mimeType ?? '' }
}

function promptRow({ name, arguments: args = [], description, title }: Prompt): Row {
  const detail = args.map((one) => `${one.name}${one.required ? '' : '?'}`).join(', ')
  return { name, about: firstSentence(description ?? title), detail }
}

/** The beginning of a description, up to the end of its first sentence or line. */
function firstSentence(text = ''): string {
  const [line = ''] = text.trim().split(/[\r\n]/)
  return /^.*?[.!?](?=\s+\p{Lu})/u.exec(line)?.[0] ?? line
}

/** The lists that are asked for by name; all of them without a name. */
export function kindsOf(words: readonly string[]): string[] {
  const unknown = words.find((word) => !lists.has(word))
  if (unknown !== undefined) {
    const known = `Expected ${[...lists.keys()].join(', ')}.`
    throw usage(`Unknown list ${JSON.stringify(unknown)}`, didYouMean(unknown, lists.keys()) ?? known)
  }
  return words.length === 0 ? [...lists.keys()] : [...words]
}

/** The lists that can be had, and why the others cannot; fails if there is none. */
export async function collectLists(
  client: Client,
  kinds: readonly string[],
  signal: AbortSignal,
): Promise<{ found: Map<string, object[]>; failed: Map<string, Explained> }> {
  const found = new Map<string, object[]>()
  const failed = new Map<string, Explained>()
  let first: unknown
  for (const kind of kinds) {
    try {
      found.set(kind, await collect(lists.get(kind)!.items(client)))
    } catch (error) {
      signal.throwIfAborted()
      const explained = explain(error)
      // Servers declare resources without having heard of templates.
      if (kind === 'templates' && explained.rpc?.code === ErrorCode.MethodNotFound) found.set(kind, [])
      else {
        first ??= error
        failed.set(kind, explained)
      }
    }
  }
  const nothing = [...found.values()].every((items) => items.length === 0)
  if (nothing && failed.size > 0) throw first
  return { found, failed }
}

/** The failure of the command, if a list failed: its exit code is the one of the first. */
export function incomplete(failed: ReadonlyMap<string, Explained>): CommandFailure | undefined {
  const [first] = failed.values()
  if (first === undefined) return undefined
  const names = [...failed.keys()].join(', ')
  return new CommandFailure(first.exitCode, 'incomplete', `Not listed: ${names}. ${first.message}`, first.hint)
}
