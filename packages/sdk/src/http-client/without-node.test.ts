import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import type { connect as Connect } from '../client/connect.ts'
import { callResult, legacy, modern, resultOf, ScriptedHttp, sendJson } from './scripted-http.suite.ts'

/** The globals of browsers and edge runtimes, and nothing else. */
const platform = {
  AbortController,
  AbortSignal,
  atob,
  btoa,
  clearInterval,
  clearTimeout,
  DOMException,
  fetch,
  Headers,
  performance,
  queueMicrotask,
  setInterval,
  setTimeout,
  TextDecoder,
  TextEncoder,
  URL,
}

async function connectOfABrowser(): Promise<typeof Connect> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../client/connect.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'tenon',
    platform: 'browser',
    // Processes are out of reach there, and only loaded on request.
    external: ['node:*', 'cross-spawn'],
    logLevel: 'silent',
  })
  const context = createContext({ ...platform })
  runInContext(outputFiles[0]!.text, context)
  return runInContext('tenon.connect', context) as typeof Connect
}

test('servers of both eras are reached with nothing but what the web platform has', async () => {
  const connect = await connectOfABrowser()
  for (const era of [modern, legacy]) {
    await using server = await ScriptedHttp.start(era((seen, reply) => sendJson(reply, resultOf(seen, callResult))))
    const client = await connect(server.url)
    expect((await client.callTool('a')).text).toBe('ok')
    await client.close()
    expect(server.seen[0]!.headers).not.toHaveProperty('user-agent', expect.stringContaining('tenon'))
  }
})
