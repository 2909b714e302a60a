import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CallToolResult, type Client, connect, type ProcessTarget, type Revision } from '@tenon/sdk/client'
import { type BrowserServerOptions, createBrowserServer } from '@tenon/server-browser'
import { afterAll, afterEach, expect } from 'vitest'
import { findChromium } from '../../../scripts/programs.mjs'

export const bin: string = fileURLToPath(new URL('../bin/tenon-browser.js', import.meta.url))

/** Root, as whom containers run tests, cannot have the sandbox of Chromium; nor can others on some machines. */
export const withoutSandbox: string[] = ['--no-sandbox']

const ending: (() => unknown)[] = []
const endingLast: (() => unknown)[] = []
const endAll = async (list: (() => unknown)[]): Promise<void> => {
  for (const end of list.splice(0).reverse()) await end()
}
afterEach(() => endAll(ending))
afterAll(() => endAll(endingLast))

/** A folder that is gone after the test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-browser-'))
  ending.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Sites on 127.0.0.1 are those that the browser may open; 127.0.0.2 stands for a private network. */
export function browserServer(options: BrowserServerOptions = {}): ReturnType<typeof createBrowserServer> {
  const made = createBrowserServer({ allowPrivate: ['127.0.0.1'], noSandbox: true, ...options })
  endingLast.push(() => made.close())
  return made
}

export async function clientOf(
  made: ReturnType<typeof createBrowserServer>,
  revision: Revision = '2025-11-25',
): Promise<Client> {
  const client = await connect(made.server, { revisions: [revision] })
  ending.push(() => client.close())
  return client
}

/** A client of a server in a process of its own. */
export async function start(target: ProcessTarget, revision: Revision = '2025-11-25'): Promise<Client> {
  const client = await connect(target, { revisions: [revision] })
  ending.push(() => client.close())
  return client
}

export const ours = (...args: string[]): ProcessTarget => ({
  command: process.execPath,
  args: [bin, ...withoutSandbox, '--allow-private', '127.0.0.1', ...args],
})

/** The original, with the Chromium that is installed in place of one that it would download. */
export function original(): ProcessTarget {
  const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-puppeteer/package.json')
  const { bin: bins } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: { [name: string]: string } }
  const launch = { headless: true, executablePath: findChromium(), args: withoutSandbox }
  return {
    command: process.execPath,
    args: [join(dirname(manifest), Object.values(bins)[0]!)],
    env: { PUPPETEER_LAUNCH_OPTIONS: JSON.stringify(launch), ALLOW_DANGEROUS: 'true' },
  }
}

type Structured = { [name: string]: unknown } & { url: string; title: string; session: string; tab: number }

/** Calls a tool that should succeed. */
export async function call(
  client: Client,
  tool: string,
  args: object = {},
): Promise<{ text: string; structured: Structured; content: CallToolResult['content'] }> {
  const { isError, text, structured, content } = await client.callTool(tool, { ...args })
  expect([tool, isError === true, isError ? text : '']).toEqual([tool, false, ''])
  return { text, structured: structured as Structured, content }
}

/** Calls a tool that should fail, and gives its error. */
export async function failing(client: Client, tool: string, args: object = {}): Promise<string> {
  const { isError, text } = await client.callTool(tool, { ...args })
  expect([isError, text]).toEqual([true, text])
  return text
}

/** The reference of an element in a snapshot, found by its line. */
export async function refOf(client: Client, line: string): Promise<string> {
  const { text } = await call(client, 'browser_snapshot')
  const [, ref] = new RegExp(`${line}.*?\\[ref=(\\w+)\\]`).exec(text) ?? []
  return ref!
}
