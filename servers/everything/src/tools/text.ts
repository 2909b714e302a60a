import { type ServerTool, text, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { squareIcon } from '../icons.ts'

const echo: ServerTool = tool({
  name: 'echo',
  title: 'Echo',
  description: 'Returns the message as it is',
  input: z.object({ message: z.string().describe('What to send back') }),
  annotations: { readOnly: true, idempotent: true, openWorld: false },
  icons: [squareIcon([64, 160, 224])],
  meta: { 'dev.tenon/category': 'text' },
  run: ({ message }) => text(message, { annotations: { audience: ['user', 'assistant'], priority: 1 } }),
})

const textStatistics: ServerTool = tool({
  name: 'text_statistics',
  title: 'Text statistics',
  description: 'Counts the characters, words, sentences and lines of a text in any language',
  input: z.object({ text: z.string().max(100_000) }),
  output: z.object({
    characters: z.number().int().describe('As a reader counts them: an emoji is one'),
    words: z.number().int(),
    sentences: z.number().int(),
    lines: z.number().int(),
    longestWord: z.string().optional(),
  }),
  annotations: { readOnly: true, idempotent: true, openWorld: false },
  run: ({ text }) => {
    const words = segments(text, 'word').filter((segment) => segment.isWordLike)
    const longest = words.reduce((found, { segment }) => (segment.length > found.length ? segment : found), '')
    return {
      characters: segments(text, 'grapheme').length,
      words: words.length,
      sentences: segments(text.trim(), 'sentence').length,
      lines: text === '' ? 0 : text.split(/\r\n|\r|\n/).length,
      ...(longest !== '' && { longestWord: longest }),
    }
  },
})

const segments = (text: string, granularity: 'grapheme' | 'word' | 'sentence'): Intl.SegmentData[] => [
  ...new Intl.Segmenter('en', { granularity }).segment(text),
]

/** Text in, text or data out. */
export const textTools: readonly ServerTool[] = [echo, textStatistics]
