import { type ContentBlock, image, isToolError, type ServerTool, ToolResult, text, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { PageImage } from '../page/page-content.ts'
import type { Web } from '../web.ts'
import { describeDocument, documentOutput, goOn, pageOf, reads, startInput, urlInput } from './shared.ts'

const maxImageBytes = 2_000_000

interface LoadedImage extends PageImage {
  mime_type?: string
  bytes?: number
  problem?: string
}

export const imagesTool = (web: Web): ServerTool =>
  tool({
    name: 'fetch_images',
    title: 'Images of a web page',
    description: `Returns images of a web page, each as a picture that a model can see, up to ${maxImageBytes / 1e6} MB.`,
    annotations: reads,
    input: z.object({
      url: urlInput,
      max_images: z.int().min(1).max(10).default(3),
      start_index: startInput,
    }),
    output: z.object({
      ...documentOutput,
      images: z.array(
        z.object({
          url: z.string(),
          alt: z.string(),
          mime_type: z.string().optional(),
          bytes: z.int().optional(),
          problem: z.string().optional().describe('The reason if the image is not among the blocks'),
        }),
      ),
      total: z.int(),
      next_start_index: z.int().optional(),
    }),
    async run({ url, max_images, start_index }, ctx) {
      const { signal } = ctx
      const document = await web.open(url, { signal, continuing: start_index > 0 })
      const page = await web.page(document, signal)
      const { items, total, next } = pageOf(page.images, start_index, max_images)
      const images: LoadedImage[] = []
      const blocks: ContentBlock[] = []
      for (const [index, item] of items.entries()) {
        const { loaded, block } = await load(web, item, signal)
        images.push(loaded)
        blocks.push(text(`${item.url} ${item.alt} ${loaded.problem ?? ''}`.trim()), ...(block ? [block] : []))
        await ctx.progress(index + 1, items.length)
      }
      return new ToolResult({
        content: [text(`${total} images of ${document.url}${goOn('fetch_images', next)}`), ...blocks],
        structured: {
          ...describeDocument(document, page.metadata.title),
          images,
          total,
          ...(next !== undefined && { next_start_index: next }),
        },
      })
    },
  })

/** One image that fails does not take the others with it. */
async function load(
  web: Web,
  item: PageImage,
  signal: AbortSignal,
): Promise<{ loaded: LoadedImage; block?: ContentBlock }> {
  try {
    const { kind, bytes, contentType, truncated } = await web.open(item.url, { signal, accept: 'image/*' })
    const loaded = { ...item, mime_type: contentType, bytes: bytes.length }
    if (kind !== 'image') return { loaded: { ...loaded, problem: 'no PNG, JPEG, GIF, WebP or AVIF' } }
    if (truncated || bytes.length > maxImageBytes) {
      return { loaded: { ...loaded, problem: `larger than ${maxImageBytes} bytes` } }
    }
    return { loaded, block: image(bytes, contentType) }
  } catch (error) {
    if (!isToolError(error)) throw error
    return { loaded: { ...item, problem: error.message } }
  }
}
