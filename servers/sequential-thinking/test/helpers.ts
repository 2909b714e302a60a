import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, connect, type ProcessTarget, type Revision } from '@tenon/sdk/client'
import { afterEach } from 'vitest'

export const bin: string = fileURLToPath(new URL('../bin/tenon-sequential-thinking.js', import.meta.url))

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-sequential-thinking/package.json')
const { bin: originalBins } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: { [name: string]: string } }

export const ours = (...args: string[]): ProcessTarget => ({ command: process.execPath, args: [bin, ...args] })
export const original: ProcessTarget = {
  command: process.execPath,
  args: [join(dirname(manifest), Object.values(originalBins)[0]!)],
}

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

export async function start(
  target: Parameters<typeof connect>[0],
  revision: Revision = '2025-11-25',
  headers?: { [name: string]: string },
): Promise<Client> {
  const client = await connect(target, { revisions: [revision], ...(headers && { headers }) })
  ending.push(() => client.close())
  return client
}

/** The address of a server process over HTTP. */
export async function serve(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [bin, '--http', '0', ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  ending.push(() => child.kill('SIGKILL'))
  let said = ''
  return new Promise((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      said += chunk
      const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(said)?.[0]
      if (url !== undefined) resolve(url)
    })
    child.on('close', () => reject(new Error(said)))
  })
}

export interface Thinking {
  thoughtNumber: number
  totalThoughts: number
  nextThoughtNeeded: boolean
  branches: string[]
  thoughtHistoryLength: number
  chain: string
}

export const thought = (text: string, number = 1, more: object = {}): { [name: string]: unknown } => ({
  thought: text,
  thoughtNumber: number,
  totalThoughts: 3,
  nextThoughtNeeded: true,
  ...more,
})

export async function think(client: Client, text: string, number?: number, more?: object): Promise<Thinking> {
  const { structured, isError, text: said } = await client.callTool('sequentialthinking', thought(text, number, more))
  if (isError) throw new Error(said)
  return structured as Thinking
}

export async function read(
  client: Client,
  args: object = {},
): Promise<{ thoughts: { thought: string; place: number; parent?: number }[]; next?: number; total: number }> {
  const { structured, isError, text } = await client.callTool('read_thoughts', { ...args })
  if (isError) throw new Error(text)
  return structured as never
}
