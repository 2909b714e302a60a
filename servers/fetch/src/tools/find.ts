import { type ServerTool, ToolResult, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { wholeCharacters } from '../text-part.ts'
import type { Web } from '../web.ts'
import { readDocument } from './fetch.ts'
import { describeDocument, documentOutput, reads, urlInput } from './shared.ts'

const maxCounted = 10_000

export const findTool = (web: Web): ServerTool =>
  tool({
    name: 'find_in_page',
    title: 'Search in a web page',
    description: 'Finds a text in a web page, in any case, and returns the places with the text around them.',
    annotations: reads,
    input: z.object({
      url: urlInput,
      query: z.string().min(1).max(200).describe('Text to find, word for word.'),
      max_matches: z.int().min(1).max(100).default(20),
      context: z.int().min(0).max(1_000).default(150).describe('Characters before and after each match.'),
    }),
    output: z.object({
      ...documentOutput,
      matches: z.array(z.object({ index: z.int().describe('A start_index for fetch'), excerpt: z.string() })),
      total: z.int().describe(`Matches in the page, counted up to ${maxCounted}`),
    }),
    async run({ url, query, max_matches, context }, { signal }) {
      // A search comes after reading, as a rule: the download at hand has the indexes that the caller knows.
      const document = await web.open(url, { signal, continuing: true })
      const { text, title } = await readDocument(web, document, false, signal)
      const places = findAll(text, query)
      const matches = places.slice(0, max_matches).map((index) => ({
        index,
        excerpt: wholeCharacters(text, index - context, index + query.length + context),
      }))
      const lines = matches.map(({ index, excerpt }) => `- at ${index}: ${excerpt.replace(/\s+/g, ' ').trim()}`)
      const count = `${places.length} matches of ${JSON.stringify(query)} in ${document.url}`
      const rest = places.length > matches.length ? `, the first ${matches.length}` : ''
      return new ToolResult({
        content: `${count}${rest}:\n\n${lines.join('\n')}`,
        structured: { ...describeDocument(document, title), matches, total: places.length },
      })
    },
  })

function findAll(text: string, query: string): number[] {
  const pattern = new RegExp(query.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&').replace(/\\-/g, '-'), 'gi')
  const places: number[] = []
  for (const { index } of text.matchAll(pattern)) {
    places.push(index)
    if (places.length >= maxCounted) break
  }
  return places
}
