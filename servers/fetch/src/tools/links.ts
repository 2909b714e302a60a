import { type ServerTool, ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { Web } from '../web.ts'
import { describeDocument, documentOutput, goOn, pageOf, reads, startInput, urlInput } from './shared.ts'

export const linksTool = (web: Web): ServerTool =>
  tool({
    name: 'fetch_links',
    title: 'Links of a web page',
    description: 'Lists the links of a web page, with their texts and absolute URLs, each target once.',
    annotations: reads,
    input: z.object({
      url: urlInput,
      filter: z.string().max(200).default('').describe('Only links with this in their text or URL, in any case.'),
      max_links: z.int().min(1).max(500).default(100),
      start_index: startInput,
    }),
    output: z.object({
      ...documentOutput,
      links: z.array(z.object({ url: z.string(), text: z.string() })),
      total: z.int(),
      next_start_index: z.int().optional(),
    }),
    async run({ url, filter, max_links, start_index }, { signal }) {
      const document = await web.open(url, { signal, continuing: start_index > 0 })
      const { links, metadata } = await web.page(document, signal)
      const wanted = filter.toLowerCase()
      const matching = links.filter((link) => `${link.text}\n${link.url}`.toLowerCase().includes(wanted))
      const { items, total, next } = pageOf(matching, start_index, max_links)
      const lines = items.map((link) => `- [${link.text || link.url}](${link.url})`)
      return new ToolResult({
        content: `${total} links of ${document.url}:\n\n${lines.join('\n')}${goOn('fetch_links', next)}`,
        structured: {
          ...describeDocument(document, metadata.title),
          links: items,
          total,
          ...(next !== undefined && { next_start_index: next }),
        },
      })
    },
  })
