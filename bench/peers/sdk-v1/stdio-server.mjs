import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { definition } from './definition.mjs'

await definition().connect(new StdioServerTransport())
