import { connect } from '@tenon/sdk/client'
import { definition } from './definition.mjs'

export async function open() {
  const client = await connect(definition())
  return { call: async (text) => (await client.callTool('echo', { text })).text, close: () => client.close() }
}
