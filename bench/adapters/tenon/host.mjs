import { createHost, policy } from '@tenon/host'
import { connect } from '@tenon/sdk/client'
import { definition } from './definition.mjs'

/** A client and a host that each call a server of their own, with the lists read by both. */
export async function open(transport, { command, args }) {
  const server = () => (transport === 'over stdio' ? { command, args } : definition())
  const client = await connect(server())
  for await (const _ of client.tools());
  const host = await createHost({
    servers: { bench: server(), other: server() },
    consent: policy({ deny: ['*.delete_*'], ask: ['other.*'], allow: ['bench.*'] }),
  })
  await host.ready()
  return {
    plain: async (text) => (await client.callTool('echo', { text })).text,
    hosted: async (text) => (await host.callTool('bench__echo', { text })).text,
    close: () => Promise.all([client.close(), host.close()]),
  }
}
