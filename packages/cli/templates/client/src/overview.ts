import type { Client } from '@tenon/sdk/client'

/** The features of a server, as text. */
export async function overview(client: Client): Promise<string> {
  const { info, revision, capabilities } = client.server
  const lines = [`${info?.title ?? info?.name ?? 'A server'}, in ${revision}`]
  if (capabilities.tools) {
    for await (const { name, description } of client.tools()) lines.push(line('tool', name, description))
  }
  if (capabilities.resources) {
    for await (const { uri, description } of client.resources()) lines.push(line('resource', uri, description))
  }
  if (capabilities.prompts) {
    for await (const { name, description } of client.prompts()) lines.push(line('prompt', name, description))
  }
  return lines.join('\n')
}

const line = (kind: string, name: string, description = ''): string => `  ${kind} ${name}: ${description}`.trimEnd()
