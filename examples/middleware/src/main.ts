import assert from 'node:assert/strict'
import { type Client, connect, isMcpError } from '@tenon/sdk/client'
import { serve } from './server.ts'

await using http = await serve()
const connectAs = (key: string): Promise<Client> => connect(http.url, { headers: { 'x-api-key': key } })

for (const [name, tools] of [
  ['ada', ['whoami', 'erase']],
  ['bob', ['whoami']],
] as const) {
  await using client = await connectAs(`key-of-${name}`)
  const listed = (await client.listTools()).tools.map((tool) => tool.name)
  console.log(`${name} sees ${listed.join(' and ')}`)
  assert.deepEqual(listed, tools)
  console.log((await client.callTool('whoami')).text)
}

await using bob = await connectAs('key-of-bob')
for (let call = 1; call <= 2; call++) {
  const outcome = await bob.callTool('erase').catch((error: Error) => error)
  console.log(outcome instanceof Error ? outcome.message : outcome.text)
}

const refused = await connectAs('key-of-eve').catch((thrown: unknown) => thrown)
assert.ok(isMcpError(refused))
console.log(`eve: ${refused.code}`)
