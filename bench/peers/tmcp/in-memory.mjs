import { InMemoryTransport } from '@tmcp/transport-in-memory'
import { definition } from './definition.mjs'

export async function open() {
  const transport = new InMemoryTransport(definition())
  const session = transport.session()
  await session.initialize('2025-06-18', {}, { name: 'bench', version: '1.0.0' })
  return {
    call: async (text) => (await session.callTool('echo', { text })).content[0].text,
    close: () => session.close(),
  }
}
