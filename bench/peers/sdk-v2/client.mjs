import { Client } from '@modelcontextprotocol/client'

/** A client that tries 2026-07-28 first, as Tenon's does. */
export async function openWith(transport) {
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(transport)
  const call = async (text) => (await client.callTool({ name: 'echo', arguments: { text } })).content[0].text
  return { call, close: () => client.close() }
}
