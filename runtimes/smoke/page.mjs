// Runs in the page. Bundled for browsers, and served under a policy that forbids `eval`.
import { connect } from '@tenon/sdk/client'
import { webSocketChannel } from '@tenon/sdk/websocket'
import { Checks, equal, failure } from './checks.mjs'
import { converse } from './scenario.mjs'
import { smokeServer } from './server.mjs'

const revisions = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']

/** The checks of a page that the servers allow. */
globalThis.checkAllowed = async ({ http, sse, webSocket }) => {
  const checks = new Checks()
  const { server } = smokeServer()
  await converse(checks, 'memory', '2026-07-28', (options) => connect(server, options))
  await converse(checks, 'memory', '2025-11-25', (options) => connect(server, options))
  for (const revision of revisions) {
    await converse(checks, 'fetch', revision, (options) => connect(http, options))
  }
  await converse(checks, 'fetch, HTTP+SSE', '2024-11-05', (options) => connect(sse, options))
  await converse(checks, 'WebSocket', '2025-11-25', (options) => connect(() => webSocketChannel(webSocket), options))
  await checks.run('the newest revision is found', async () => {
    const client = await connect(http)
    equal(client.server.revision, '2026-07-28', 'the revision')
    await client.close()
  })
  await checks.run('a process cannot be started', () => failure(connect({ command: 'node' }), 'unsupported'))
  return checks.results
}

/** The checks of a page that the servers do not allow. */
globalThis.checkForeign = async ({ http, webSocket }) => {
  const checks = new Checks()
  for (const revision of revisions) {
    await checks.run(`a foreign page cannot connect, ${revision}`, () =>
      failure(connect(http, { revisions: [revision], probeTimeoutMs: 1_000 }), 'closed'),
    )
  }
  await checks.run('a foreign page cannot connect by WebSocket', () => failure(webSocketChannel(webSocket), 'closed'))
  await checks.run('a foreign page cannot call a tool blindly', async () => {
    const params = { name: 'echo', arguments: { text: 'evil' } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const { type } = await fetch(http, { method: 'POST', mode: 'no-cors', body })
    equal(type, 'opaque', 'the answer')
  })
  return checks.results
}
