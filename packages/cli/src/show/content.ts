import type { ContentBlock, ResourceContents } from '@tenon/sdk/client'
import type { Terminal } from '../terminal/terminal.ts'
import { say } from '../terminal/text.ts'
import { type Saving, showMedia } from './media.ts'

/** Prints content blocks, each by its kind. */
export async function showContent(
  blocks: readonly ContentBlock[],
  terminal: Terminal,
  name: string,
  saving?: Saving,
): Promise<void> {
  let media = 0
  for (const block of blocks) {
    if (isMedia(block)) media += 1
    await showBlock(block, terminal, media > 1 ? `${name}-${media}` : name, saving)
  }
}

const isMedia = (block: ContentBlock): boolean =>
  block.type === 'image' || block.type === 'audio' || (block.type === 'resource' && 'blob' in block.resource)

async function showBlock(block: ContentBlock, terminal: Terminal, name: string, saving?: Saving): Promise<void> {
  const { style } = terminal
  switch (block.type) {
    case 'text':
      return terminal.content(block.text)
    case 'image':
    case 'audio':
      return await showMedia(block, terminal, name, saving)
    case 'resource_link': {
      const title = block.title ?? block.name
      return terminal.line(say`${style.cyan(block.uri)}  ${title}`)
    }
    case 'resource':
      return await showResource(block.resource, terminal, name, saving)
    default:
      return terminal.line(style.dim(JSON.stringify(block)))
  }
}

/** Prints one part of a resource. */
export async function showResource(
  resource: ResourceContents,
  terminal: Terminal,
  name: string,
  saving?: Saving,
): Promise<void> {
  if ('text' in resource) return terminal.content(resource.text)
  const { mimeType = 'application/octet-stream', blob } = resource
  await showMedia({ mimeType, data: blob }, terminal, name, saving)
}
