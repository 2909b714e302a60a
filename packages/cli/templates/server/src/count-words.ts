import { tool } from '@tenon/sdk/server'
import { z } from 'zod'

/** A tool is something that the model can do. Its schemas are checked at run time, and give `run` its types. */
export const countWords = tool({
  name: 'count_words',
  title: 'Count words',
  description: 'Counts the words and sentences of a text, and the minutes that it takes to read',
  input: z.object({ text: z.string().max(100_000).describe('A text in any language') }),
  output: z.object({ words: z.int(), sentences: z.int(), minutes: z.int() }),
  annotations: { readOnly: true, idempotent: true, openWorld: false },
  run({ text }) {
    const words = [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)]
    const sentences = [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text.trim())]
    const count = words.filter(({ isWordLike }) => isWordLike).length
    return { words: count, sentences: sentences.length, minutes: Math.ceil(count / 200) }
  },
})
