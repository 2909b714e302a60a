import { connect } from '@tenon/sdk/client'

await using client = await connect({ command: 'node', args: [`${import.meta.dirname}/server.js`] })

for await (const { name, description } of client.tools()) console.log(`${name}: ${description}`)

const { structured } = await client.callTool<{ sum: number }>('add', { a: 19, b: 23 })
console.log(`19 + 23 = ${structured?.sum}`)
