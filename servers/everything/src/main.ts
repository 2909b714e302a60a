import { runProgram } from '@tenon/server-kit'
import { createEverythingServer } from './everything.ts'
import { version } from './version.ts'

await runProgram({
  name: 'everything',
  version,
  summary: 'An MCP server that shows every feature of the protocol in a small, useful form.',
  settings: {},
  examples: [['everything --http 3000', 'http://127.0.0.1:3000/mcp, for any number of clients']],
  open: (settings) => ({ server: createEverythingServer({ settings }) }),
})
