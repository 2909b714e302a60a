import { connect } from '@tenon/sdk/client'

export async function open({ url }) {
  const client = await connect(url)
  return { call: async (text) => (await client.callTool('echo', { text })).text, close: () => client.close() }
}
