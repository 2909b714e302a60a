import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, connect, type ProcessTarget, type Revision } from '@tenon/sdk/client'
import { createMemoryServer, type MemoryServerOptions } from '@tenon/server-memory'
import { afterEach } from 'vitest'

export const bin: string = fileURLToPath(new URL('../bin/tenon-memory.js', import.meta.url))

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/package.json')
const { bin: originalBins } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: { [name: string]: string } }
const originalBin = join(dirname(manifest), Object.values(originalBins)[0]!)

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

/** A folder that is gone after the test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-memory-'))
  ending.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const ours = (file: string, ...args: string[]): ProcessTarget => ({
  command: process.execPath,
  args: [bin, file, ...args],
})

export const original = (file: string): ProcessTarget => ({
  command: process.execPath,
  args: [originalBin],
  env: { MEMORY_FILE_PATH: file },
})

/** A client of a server in a process of its own. */
export async function start(target: ProcessTarget, revision: Revision = '2025-11-25'): Promise<Client> {
  const client = await connect(target, { revisions: [revision] })
  ending.push(() => client.close())
  return client
}

export interface Opened {
  client: Client
  file: string
  reports: string[]
  close(): Promise<void>
}

/** A server in this process, with a client. */
export async function open(options: MemoryServerOptions = {}, revision: Revision = '2025-11-25'): Promise<Opened> {
  const reports: string[] = []
  const file = options.file ?? join(testFolder(), 'memory.jsonl')
  const memory = createMemoryServer({ report: (message) => reports.push(message), ...options, file })
  const client = await connect(memory.server, { revisions: [revision] })
  const close = async (): Promise<void> => {
    await client.close()
    await memory.close()
  }
  ending.push(close)
  return { client, file, reports, close }
}

export interface GraphContent {
  entities: { name: string; entityType: string; observations: string[]; origins?: ({ at: string } | null)[] }[]
  relations: { from: string; to: string; relationType: string }[]
  nextCursor?: string
}

export async function call<T = GraphContent>(client: Client, tool: string, args: object = {}): Promise<T> {
  const { structured, isError, text } = await client.callTool(tool, { ...args })
  if (isError) throw new Error(text)
  return structured as T
}

export const entity = (name: string, ...observations: string[]): object => ({ name, entityType: 'thing', observations })

export const create = (client: Client, ...names: string[]): Promise<unknown> =>
  call(client, 'create_entities', { entities: names.map((name) => entity(name, `about ${name}`)) })

export const namesOf = ({ entities }: GraphContent): string[] => entities.map(({ name }) => name)

/** The names in a file, as the original reads them. */
export function namesIn(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  const records = lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line))
  return records.filter(({ type }) => type === 'entity').map(({ name }) => name)
}
