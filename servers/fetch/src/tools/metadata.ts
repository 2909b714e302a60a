import { type ServerTool, ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import type { PageMetadata } from '../page/page-content.ts'
import type { Web } from '../web.ts'
import { reads, urlInput } from './shared.ts'

const text = z.string().optional()

export const metadataTool = (web: Web): ServerTool =>
  tool({
    name: 'fetch_metadata',
    title: 'Facts about a web page',
    description: 'Title, description, author, date, language, canonical URL, feeds and headings of a web page.',
    annotations: reads,
    input: z.object({ url: urlInput }),
    output: z.object({
      url: z.string().describe('The address that answered, after redirects'),
      status: z.int(),
      content_type: z.string(),
      bytes: z.int(),
      last_modified: text,
      etag: text,
      title: text,
      description: text,
      language: text,
      author: text,
      published: text,
      site_name: text,
      canonical: text,
      image: text,
      feeds: z.array(z.object({ url: z.string(), title: z.string() })),
      headings: z.array(z.object({ level: z.int(), text: z.string() })),
      meta: z.record(z.string(), z.string()),
    }),
    async run({ url }, { signal }) {
      const document = await web.open(url, { signal })
      const metadata: PageMetadata =
        document.kind === 'html' ? (await web.page(document, signal)).metadata : { feeds: [], headings: [], meta: {} }
      const { 'last-modified': lastModified, etag } = document.stored.headers
      const structured = {
        url: document.url,
        status: document.status,
        content_type: document.contentType,
        bytes: document.bytes.length,
        ...(lastModified !== undefined && { last_modified: lastModified }),
        ...(etag !== undefined && { etag }),
        ...metadata,
      }
      return new ToolResult({ content: describe(structured), structured })
    },
  })

function describe({ headings, feeds, meta: _meta, ...facts }: PageMetadata & { url: string }): string {
  const lines = Object.entries(facts).map(([name, value]) => `- ${name.replaceAll('_', ' ')}: ${value}`)
  const outline = headings.map(({ level, text }) => `${'  '.repeat(level - 1)}- ${text}`)
  return [
    lines.join('\n'),
    feeds.length === 0 ? '' : `Feeds:\n${feeds.map((feed) => `- ${feed.title} ${feed.url}`).join('\n')}`,
    outline.length === 0 ? '' : `Headings:\n${outline.join('\n')}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
