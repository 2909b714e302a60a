import { createServer } from '@tenon/sdk/server'
import { countWords } from './count-words.ts'
import { rewrite } from './rewrite.ts'
import { styleGuide } from './style-guide.ts'

/** The server, without a word about how it is reached: tests and `tenon dev` use it as it is. */
export const server = createServer({
  name: 'project-name',
  version: '0.1.0',
  instructions: 'Before you hand over a text, count its words.',
  tools: [countWords],
  resources: [styleGuide],
  prompts: [rewrite],
  onError: (error, { id, during }) => console.error(`error ${id} during ${during}:`, error),
})
