import { connect } from '@tenon/sdk/client'

const client = await connect('https://example.com/mcp')
console.log((await client.callTool('echo', { text: 'hello' })).text)
