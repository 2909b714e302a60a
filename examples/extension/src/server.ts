import { createServer } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'
import { search } from './search.ts'

const words = ['mortise', 'tenon', 'tent']

const served = search.serve(
  { 'search/query': ({ text }) => ({ hits: words.filter((word) => word.startsWith(text)) }) },
  { settings: { languages: ['en'] } },
)

await serveStdio(createServer({ name: 'dictionary', version: '1.0.0', extensions: [served] }))
