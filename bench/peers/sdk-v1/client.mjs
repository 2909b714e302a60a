import { Client } from '@modelcontextprotocol/sdk/client/index.js'

export async function openWith(transport) {
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await client.connect(transport)
  const call = async (text) => (await client.callTool({ name: 'echo', arguments: { text } })).content[0].text
  return { call, close: () => client.close() }
}
