import type { ContentBlock, ResourceContents } from '@tenon/sdk/client'
import { visible, visibleLine } from '@tenon/sdk/display'
import type { Terminal } from '../terminal/terminal.ts'
import { type Saving, showMedia } from './media.ts'

/** Prints content blocks, each by its kind. */
export async function showContent(
  blocks: readonly ContentBlock[],
  terminal: Terminal,
  name: string,
  saving?: Saving,
): Promise<void> {
  for (const [index, block] of blocks.entries()) await showBlock(block, terminal, `${name}-${index + 1}`, saving)
}

async function showBlock(block: ContentBlock, terminal: Terminal, name: string, saving?: Saving): Promise<void> {
  const { style } = terminal
  switch (block.type) {
    case 'text':
      return showText(block.text, terminal)
    case 'image':
    case 'audio':
      return await showMedia(block, terminal, name, saving)
    case 'resource_link': {
      const title = block.title ?? block.name
      return terminal.line(`${style.cyan(visibleLine(block.uri))}  ${visibleLine(title)}`)
    }
    case 'resource':
      return await showResource(block.resource, terminal, name, saving)
    default:
      return terminal.line(style.dim(visibleLine(JSON.stringify(block))))
  }
}

/** Prints one part of a resource. */
export async function showResource(
  resource: ResourceContents,
  terminal: Terminal,
  name: string,
  saving?: Saving,
): Promise<void> {
  if ('text' in resource) return showText(resource.text, terminal)
  const { mimeType = 'application/octet-stream', blob } = resource
  await showMedia({ mimeType, data: blob }, terminal, name, saving)
}

/** Text as it is for files and programs, harmless for terminals. */
export function showText(text: string, terminal: Terminal): void {
  const shown = terminal.isRead ? visible(text) : text
  terminal.print(shown.endsWith('\n') ? shown : `${shown}\n`)
}
