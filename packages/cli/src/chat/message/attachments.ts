import type { Host } from '@tenon/host'
import type { UserPart } from '@tenon/host/chat'
import type { ContentBlock, ResourceContents } from '@tenon/sdk/client'
import { usage } from '../../exit.ts'

const maxBytes = 4 * 1024 * 1024

/** A word `@server:uri` in a message. */
interface Mention {
  server: string
  uri: string
}

/** The resources that a message names, each once. */
function mentionsIn(text: string, host: Host): Mention[] {
  const found = new Map<string, Mention>()
  for (const [, server, word] of text.matchAll(/(?<=^|\s)@([^\s:]+):(\S+)/g)) {
    if (!host.servers.has(server!)) continue
    const isListed = host.resources.some(({ server: of, resource }) => of === server && resource.uri === word)
    // A mark at the end of a sentence is no part of the address, unless the server has it so.
    const uri = isListed ? word! : word!.replace(/[.,;:!?)]+$/, '')
    found.set(`${server} ${uri}`, { server: server!, uri })
  }
  return [...found.values()]
}

/** A message with the resources that it names. */
export async function withAttachments(text: string, host: Host, signal: AbortSignal): Promise<UserPart[]> {
  const parts: UserPart[] = [{ type: 'text', text }]
  for (const { server, uri } of mentionsIn(text, host)) {
    const { contents } = await host.readResource(server, uri, { signal })
    parts.push(...contents.flatMap((part) => resourceParts(part, server)))
  }
  const size = parts.reduce((sum, part) => sum + Buffer.byteLength(part.type === 'text' ? part.text : part.data), 0)
  if (size > maxBytes) throw usage(`The resources have ${size} bytes: expected at most ${maxBytes}`)
  return parts
}

function resourceParts(part: ResourceContents, server: string): UserPart[] {
  const about = `[resource ${part.uri} of the server ${server}]`
  if ('text' in part) return [{ type: 'text', text: `${about}\n${part.text}` }]
  return [
    { type: 'text', text: about },
    { type: 'media', data: part.blob, mediaType: part.mimeType ?? 'application/octet-stream' },
  ]
}

/** Content of a prompt, as parts of a message. */
export function contentParts(block: ContentBlock, server: string): UserPart[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }]
    case 'image':
    case 'audio':
      return [{ type: 'media', data: block.data, mediaType: block.mimeType }]
    case 'resource':
      return resourceParts(block.resource, server)
    default:
      return [{ type: 'text', text: JSON.stringify(block) }]
  }
}
