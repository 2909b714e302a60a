import { embed, prompt } from '@tenon/sdk/server'
import { z } from 'zod'
import { guide } from './style-guide.ts'

/** A prompt is something that the user can choose: it begins a conversation. */
export const rewrite = prompt({
  name: 'rewrite',
  title: 'Rewrite a text',
  description: 'Has the model rewrite a text by the style guide',
  arguments: z.object({
    text: z.string().describe('The text'),
    reader: z.enum(['expert', 'beginner']).optional().describe('Who will read it'),
  }),
  run: ({ text, reader = 'beginner' }) => [
    { role: 'user', content: embed({ uri: 'guide:///style', mimeType: 'text/markdown', text: guide }) },
    {
      role: 'user',
      content: {
        type: 'text',
        text: `Rewrite this for a reader who is ${reader === 'expert' ? 'an expert' : 'a beginner'}:\n\n${text}`,
      },
    },
  ],
})
