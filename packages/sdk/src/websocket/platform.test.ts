/** The client with the platform's WebSocket: Node's own, in a process that has no `ws` to import. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { featureServer } from '../../test/fixture.ts'
import { serveWebSocket } from '../websocket.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-websocket-'))
const script = join(folder, 'client.mjs')
const flags = Number(process.versions.node.split('.')[0]) < 22 ? ['--experimental-websocket'] : []
const source = fileURLToPath(new URL('..', import.meta.url))

beforeAll(async () => {
  const contents = `
    import { connect } from './client.ts'
    import { webSocketChannel } from './websocket.ts'
    const out = {}
    try {
      await using client = await connect(() => webSocketChannel(process.argv[2]))
      const calls = Array.from({ length: 500 }, (_, a) => client.callTool('add', { a, b: 1 }))
      out.sums = (await Promise.all(calls)).map(({ text }) => JSON.parse(text).sum)
      out.big = (await client.callTool('echo', { text: 'é'.repeat(1_000_000) })).text.length
    } catch (error) {
      out.error = error.message
    }
    console.log(JSON.stringify(out))
  `
  await build({
    stdin: { contents, resolveDir: source },
    outfile: script,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    target: 'node20',
    logLevel: 'error',
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function run(url: string): Promise<{ sums?: number[]; big?: number; error?: string }> {
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, url])
  return JSON.parse(stdout)
}

test('calls are answered, and the process ends by itself', async () => {
  await using listening = await serveWebSocket(featureServer(), { port: 0 })
  const { sums, big, error } = await run(listening.url!)
  expect(error).toBeUndefined()
  expect(sums).toEqual(Array.from({ length: 500 }, (_, a) => a + 1))
  expect(big).toBe(1_000_000)
})

test('a server that does not agree to the subprotocol is not used', async () => {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => false })
  await once(sockets, 'listening')
  const { error } = await run(`ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`)
  expect(error).toMatch(/subprotocol|check the URL/)
  await new Promise((resolve) => sockets.close(resolve))
})

test('a bundle for browsers needs nothing that browsers lack', async () => {
  const { metafile } = await build({
    entryPoints: [join(source, 'websocket.ts')],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    metafile: true,
    write: false,
    logLevel: 'error',
  })
  const inputs = Object.keys(metafile.inputs).filter((path) => path.includes('node_modules'))
  // The browser build of `ws` is a function that throws; it is never loaded there.
  expect(inputs).toEqual([expect.stringMatching(/ws\/browser\.js$/)])
})
