import type { Client, Prompt, Resource, ResourceTemplate, Tool } from '@tenon/sdk/client'
import { messageOf } from '../host-error.ts'

/** The lists of one server. */
export interface ServerLists {
  readonly tools: readonly Tool[]
  readonly resources: readonly Resource[]
  readonly templates: readonly ResourceTemplate[]
  readonly prompts: readonly Prompt[]
}

export const noLists: ServerLists = { tools: [], resources: [], templates: [], prompts: [] }

export type ListKind = keyof ServerLists

/** How much of a server's lists is kept. */
const maxItems = 10_000
const maxBytes = 32 * 1024 * 1024

type Items = AsyncIterable<Tool | Resource | ResourceTemplate | Prompt>

const readers: {
  readonly [Kind in ListKind]: { capability: 'tools' | 'resources' | 'prompts'; read(client: Client): Items }
} = {
  tools: { capability: 'tools', read: (client) => client.tools() },
  resources: { capability: 'resources', read: (client) => client.resources() },
  templates: { capability: 'resources', read: (client) => client.resourceTemplates() },
  prompts: { capability: 'prompts', read: (client) => client.prompts() },
}

/** Reads one list to its end. Lists above the limits end there, with a problem; so does a server that fails meanwhile. */
export async function readList<Kind extends ListKind>(
  client: Client,
  kind: Kind,
  report: (problem: string) => void,
): Promise<ServerLists[Kind] | undefined> {
  const { capability, read } = readers[kind]
  const items: unknown[] = []
  if (client.server.capabilities[capability] === undefined) return items as unknown as ServerLists[Kind]
  let bytes = 0
  try {
    for await (const item of read(client)) {
      bytes += JSON.stringify(item).length
      if (items.length === maxItems || bytes > maxBytes) {
        report(
          `its list of ${kind} is cut after ${items.length}: the limits are ${maxItems} items and ${maxBytes} bytes`,
        )
        break
      }
      items.push(item)
    }
    return items as unknown as ServerLists[Kind]
  } catch (error) {
    report(`its list of ${kind} cannot be read: ${messageOf(error)}`)
    return undefined
  }
}
