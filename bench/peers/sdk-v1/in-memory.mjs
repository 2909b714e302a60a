import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { openWith } from './client.mjs'
import { definition } from './definition.mjs'

export async function open() {
  const [own, other] = InMemoryTransport.createLinkedPair()
  await definition().connect(other)
  return openWith(own)
}
