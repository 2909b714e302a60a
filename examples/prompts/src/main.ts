import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'

const server = fileURLToPath(new URL('server.js', import.meta.url))
await using client = await connect({ command: 'node', args: [server] })

const ref = { type: 'ref/prompt', name: 'travel' } as const
const suggest = async (name: string, value: string, known: { [name: string]: string } = {}): Promise<string[]> =>
  (await client.complete(ref, { name, value }, { context: { arguments: known } })).values

console.log('country i…:', await suggest('country', 'i'))
console.log('city m… in Italy:', await suggest('city', 'm', { country: 'Italy' }))
console.log('pace:', await suggest('pace', '')) // an enum completes itself
assert.deepEqual(await suggest('city', '', { country: 'Japan' }), ['Kyoto', 'Nara'])

const { messages } = await client.getPrompt('travel', { country: 'Japan', city: 'Nara' })
for (const { role, content } of messages)
  console.log(`${role}: ${content.type === 'text' ? content.text : content.type}`)
