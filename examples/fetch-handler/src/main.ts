import assert from 'node:assert/strict'
import { connect } from '@tenon/sdk/client'
import { DELETE, GET, POST } from './route.ts'
import worker from './worker.ts'

const methods = { DELETE, GET, POST }

/** The two platforms, as far as a handler sees them: a Request comes in, a Response goes out. */
const platforms: [string, (request: Request) => Promise<Response>][] = [
  ['Workers', worker.fetch],
  ['Next', (request) => methods[request.method as keyof typeof methods](request)],
]

for (const [name, handle] of platforms) {
  for (const revision of ['2025-11-25', '2026-07-28'] as const) {
    await using client = await connect('https://calculator.example/mcp', {
      revisions: [revision],
      fetch: (url, init) => handle(new Request(url, init)), // instead of the network
    })
    const { structured } = await client.callTool('add', { a: 19, b: 23 })
    console.log(`${name} in ${revision}:`, structured)
    assert.deepEqual(structured, { sum: 42 })
  }
}
