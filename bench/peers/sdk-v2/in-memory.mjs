import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { definition } from './definition.mjs'

export async function open() {
  const [own, other] = InMemoryTransport.createLinkedPair()
  await definition().connect(other)
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await client.connect(own)
  const call = async (text) => (await client.callTool({ name: 'echo', arguments: { text } })).content[0].text
  return { call, close: () => client.close() }
}
