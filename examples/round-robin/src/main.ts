import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'
import { balance } from './balancer.ts'

const program = fileURLToPath(new URL('server.js', import.meta.url))
const env = { ...process.env, STATE_KEY: randomBytes(32).toString('base64') }
const processes = [fork(program, { env }), fork(program, { env })]
const ports = await Promise.all(processes.map(async (child) => (await once(child, 'message'))[0] as number))

const balancer = balance(ports).listen(0, '127.0.0.1')
await once(balancer, 'listening')
const url = `http://127.0.0.1:${(balancer.address() as AddressInfo).port}/mcp`

for (const revision of ['2025-06-18', '2025-11-25', '2026-07-28'] as const) {
  const client = await connect(url, { revisions: [revision] })
  const seen = new Set<string>()
  for (let call = 0; call < 4; call++) seen.add((await client.callTool('where')).text)
  console.log(`${revision}: four calls, answered by ${seen.size} processes`)
  assert.equal(seen.size, 2)
  await client.close()
}

const client = await connect(url, { elicit: () => ({ action: 'accept', content: { people: 4 } }) })
const { text } = await client.callTool('book')
console.log(text)
assert.match(text, /another process/)

await client.close()
balancer.close()
balancer.closeAllConnections()
for (const child of processes) child.kill()
