import { connect } from '@tenon/sdk/client'

export async function open({ command, args }) {
  const client = await connect({ command, args })
  return { call: async (text) => (await client.callTool('echo', { text })).text, close: () => client.close() }
}
