// A server and a client of the installed package: in memory, over HTTP without a port, and as a process. The words of the
// command line start the server in the runtime of this program.
import { type Client, connect } from '@tenon/sdk/client'
import { fetchHandler } from '@tenon/sdk/http'
import { server } from './calculator.js'

async function sumOf(client: Client): Promise<number | undefined> {
  try {
    const { structured } = await client.callTool<{ sum: number }>('add', { a: 19, b: 23 })
    return structured?.sum
  } finally {
    await client.close()
  }
}

async function tell(): Promise<void> {
  const [command = '', ...args] = process.argv.slice(2)
  const handler = fetchHandler(server)
  const fetch = (input: string | URL | Request, init?: RequestInit) => handler(new Request(input, init))
  for (const revision of ['2025-06-18', '2026-07-28'] as const) {
    const revisions = [revision]
    const memory = await sumOf(await connect(server, { revisions }))
    const http = await sumOf(await connect('http://localhost/mcp', { revisions, fetch }))
    const stdio = await sumOf(await connect({ command, args }, { revisions }))
    console.log(`${revision}: ${memory} ${http} ${stdio}`)
  }
}

tell().catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})
