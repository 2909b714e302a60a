import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'

const server = fileURLToPath(new URL('server.js', import.meta.url))
await using client = await connect({ command: 'node', args: [server] })

for await (const { uri } of client.resources()) console.log(uri)

const salt = 'stock:///items/salt'
const read = async (uri: string): Promise<string> => {
  const [content] = (await client.readResource(uri)).contents
  return content && 'text' in content ? content.text : ''
}
console.log(await read(salt))

// A watch is a subscription: it resolves when the server has agreed, and ends with the block.
const changes = new EventEmitter()
await using _watch = await client.watch(salt, () => changes.emit('change'))
const changed = once(changes, 'change')
await client.callTool('sell', { name: 'salt' })
await changed
console.log(`changed: ${await read(salt)}`)
assert.equal(await read(salt), '{"name":"salt","left":2}')

const missing = await client.readResource('stock:///items/gold').catch((error: Error) => error.message)
console.log(missing)
