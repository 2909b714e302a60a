import type { Client, Prompt, ResourceTemplate, Tool } from '@tenon/sdk/client'
import { collect } from '../values/find-by-name.ts'

/** The named features of a server. */
export interface ServerFeatures {
  server: string
  tools: Tool[]
  prompts: Prompt[]
  templates: ResourceTemplate[]
}

/** Lists the features of a server, in an order that does not depend on the server. */
export async function readFeatures(client: Client, label: string): Promise<ServerFeatures> {
  const { info, capabilities } = client.server
  const has = (name: 'tools' | 'prompts' | 'resources'): boolean => capabilities[name] !== undefined
  return {
    server: info?.name ?? label,
    tools: has('tools') ? sorted(await collect(client.tools()), ({ name }) => name) : [],
    prompts: has('prompts') ? sorted(await collect(client.prompts()), ({ name }) => name) : [],
    templates: has('resources')
      ? sorted(await collect(client.resourceTemplates()), ({ name, uriTemplate }) => `${name} ${uriTemplate}`)
      : [],
  }
}

// By code units: the same in every locale.
const sorted = <Item>(items: Item[], key: (item: Item) => string): Item[] =>
  items.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
