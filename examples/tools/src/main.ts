import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'

const server = fileURLToPath(new URL('server.js', import.meta.url))
await using client = await connect({ command: 'node', args: [server] })

const { structured } = await client.callTool<{ value: number; unit: string }>('convert', { value: 100, to: 'F' })
console.log(`100 °C is ${structured?.value} °${structured?.unit}`)
assert.deepEqual(structured, { value: 212, unit: 'F' })

const { content } = await client.callTool('card', { to: 'Ada' })
console.log(`A postcard of ${content.map(({ type }) => type).join(', ')}`)

const failed = await client.callTool('divide', { dividend: 1, divisor: 0 })
console.log(`For the model: ${failed.text}`)
assert.ok(failed.isError)

const refused = await client.callTool('convert', { value: 'hot', to: 'F' })
console.log(`Refused: ${refused.text}`)
assert.ok(refused.isError)
