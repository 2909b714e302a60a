// The common part of the starters of Node, Bun and Deno: the checks of one runtime, or one half of a check across two.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { serveSocket, socketChannel } from '@tenon/sdk/socket'
import { serveWebSocket } from '@tenon/sdk/websocket'
import { Checks, equal, eventually } from './checks.mjs'
import { converse } from './scenario.mjs'
import { smokeServer } from './server.mjs'

const revisions = ['2025-06-18', '2025-11-25', '2026-07-28']
const revision = '2025-11-25'

/**
 * Runs the command: `check` (everything within this runtime), `serve` (until standard input ends) or `call URL`.
 *
 * A runtime is `listen(server)`, which serves over HTTP as its users would and returns `{ url, close }`, and
 * `scriptArgs(script)`, with which its own executable runs a script.
 */
export async function main(runtime) {
  const [mode, url] = process.argv.slice(2)
  const checks = new Checks()
  if (mode === 'serve') return serve(runtime)
  if (mode === 'call') await callAcross(checks, url)
  else await checkAll(checks, runtime)
  process.stdout.write(`${JSON.stringify(checks.results)}\n`)
}

async function serve({ listen }) {
  const { url, close } = await listen(smokeServer().server)
  process.stdout.write(`${url}\n`)
  for await (const _ of process.stdin);
  await close()
}

/** The client's half of a check across runtimes. */
async function callAcross(checks, url) {
  for (const revision of revisions) await converse(checks, 'http', revision, (options) => connect(url, options))
}

async function checkAll(checks, runtime) {
  await checkMemory(checks)
  await checkHttp(checks, runtime)
  await checkStdio(checks, runtime)
  await checkNodeHttp(checks)
  await checkWebSocket(checks)
  await checkSockets(checks)
}

async function checkMemory(checks) {
  const { server } = smokeServer()
  for (const revision of revisions) {
    await converse(checks, 'memory', revision, (options) => connect(server, options))
  }
}

async function checkHttp(checks, { listen }) {
  await using(
    checks,
    'http',
    () => listen(smokeServer().server),
    async ({ url }) => {
      for (const revision of revisions) {
        await converse(checks, 'http', revision, (options) => connect(url, options))
      }
      await checkStreamHead(checks, url)
      await checkSilence(checks, url)
    },
  )
}

async function checkStreamHead(checks, url) {
  await checks.run('http: the stream of the server is open before it says anything', async () => {
    const states = []
    const onStream = ({ kind }) => states.push(kind)
    const client = await connect(url, { revisions: ['2025-06-18'], onStream })
    try {
      await eventually(() => states[0], 'open', 'the state of the stream', 2_000)
    } finally {
      await client.close()
    }
  })
}

/** Longer than the 10 s after which Bun.serve, by default, ends an idle connection. */
const silenceMs = 14_000

async function checkSilence(checks, url) {
  const revisions = ['2025-06-18', '2026-07-28']
  await checks.run(`http: a call that goes silent for ${silenceMs / 1000} s is answered`, async () => {
    const answers = revisions.map(async (revision) => {
      const client = await connect(url, { revisions: [revision] })
      try {
        return (await client.callTool('dawdle', { ms: silenceMs }, { onProgress: () => {} })).text
      } finally {
        await client.close()
      }
    })
    equal(await Promise.all(answers), ['at last', 'at last'], 'the answers')
  })
}

async function checkStdio(checks, { scriptArgs }) {
  const script = fileURLToPath(new URL('./stdio-server.mjs', import.meta.url))
  const target = { command: process.execPath, args: scriptArgs(script) }
  for (const revision of revisions) {
    await converse(checks, 'stdio', revision, (options) => connect(target, options))
  }
}

async function checkNodeHttp(checks) {
  await using(
    checks,
    'node:http',
    () => serveHttp(smokeServer().server),
    ({ url }) => converse(checks, 'node:http', revision, (options) => connect(url, options)),
  )
}

async function checkWebSocket(checks) {
  await using(
    checks,
    'WebSocket',
    () => serveWebSocket(smokeServer().server, { port: 0 }),
    ({ url }) => converse(checks, 'WebSocket', revision, (options) => connect(url, options)),
  )
}

async function checkSockets(checks) {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-'))
  for (const [name, address] of [
    ['TCP socket', { port: 0 }],
    ['Unix socket', { path: join(folder, 'smoke.sock') }],
  ]) {
    await using(
      checks,
      name,
      () => serveSocket(smokeServer().server, address),
      ({ address }) => converse(checks, name, revision, (options) => connect(() => socketChannel(address), options)),
    )
  }
  rmSync(folder, { recursive: true, force: true })
}

/** Opens something, uses it, and closes it; opening and closing are checks of their own. */
async function using(checks, name, open, use) {
  let opened
  await checks.run(`${name}: it listens`, async () => {
    opened = await open()
  })
  if (opened === undefined) return
  await use(opened)
  await checks.run(`${name}: it closes`, () => opened.close())
}
