import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, type ConnectOptions, connect, type ProcessTarget } from '@tenon/sdk/client'
import { createSqliteServer, type SqliteServerOptions } from '@tenon/server-sqlite'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { pythonServer } from '../../../scripts/requires.ts'

export const bin: string = fileURLToPath(new URL('../bin/tenon-sqlite.js', import.meta.url))

/** Python with its own SQLite, as another program that uses the file; there if `python-servers` is. */
export const python: string = join(dirname(pythonServer('sqlite')), 'python')

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

/** Does something after the test. */
export const later = (end: () => unknown): unknown => ending.push(end)

/** A folder that is gone after the test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-sqlite-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const ours = (file: string, ...args: string[]): ProcessTarget => ({
  command: process.execPath,
  args: [bin, file, ...args],
})

export const original = (file: string): ProcessTarget => ({
  command: pythonServer('sqlite'),
  args: ['--db-path', file],
})

/** A client of a server in a process of its own. */
export async function start(target: ProcessTarget, options: ConnectOptions = {}): Promise<Client> {
  const client = await connect(target, { revisions: ['2025-11-25'], ...options })
  later(() => client.close())
  return client
}

export interface Opened {
  readonly client: Client
  readonly file: string
  close(): Promise<void>
}

/** A server in this process, with a client. Its engine is in processes of its own as always. */
export async function open(options: SqliteServerOptions = {}, how: ConnectOptions = {}): Promise<Opened> {
  const dbPath = options.dbPath ?? join(testFolder(), 'test.db')
  const { server, file, close: end } = createSqliteServer({ ...options, dbPath })
  const client = await connect(server, { revisions: ['2025-11-25'], ...how })
  const close = async (): Promise<void> => {
    await client.close()
    await end()
  }
  later(close)
  return { client, file, close }
}

/** The structured answer of a tool, or its error. */
export async function call<T = { columns: string[]; rows: unknown[][]; next_offset?: number }>(
  client: Client,
  tool: string,
  args: object = {},
): Promise<T> {
  const { structured, isError, text } = await client.callTool(tool, { ...args })
  if (isError) throw new Error(text)
  return structured as T
}

export const read = async (client: Client, query: string, parameters?: unknown): Promise<unknown[][]> =>
  (await call(client, 'read_query', { query, ...(parameters !== undefined && { parameters }) })).rows

export const write = (client: Client, query: string, parameters?: unknown): Promise<{ affected_rows: number }> =>
  call(client, 'write_query', { query, ...(parameters !== undefined && { parameters }) })

/** A statement that never ends by itself. */
export const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c'

/** One server for the tests of a file: processes take time to start. */
export function shared(options: SqliteServerOptions = {}): { client: Client; file: string; empty(): Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-sqlite-'))
  const state = { client: undefined as unknown as Client, file: join(folder, 'shared.db'), empty }
  let end: () => Promise<void>
  beforeAll(async () => {
    const made = createSqliteServer({ ...options, dbPath: state.file })
    end = made.close
    state.client = await connect(made.server, { revisions: ['2025-11-25'] })
  })
  afterAll(async () => {
    await state.client.close()
    await end()
    rmSync(folder, { recursive: true, force: true })
  })
  async function empty(): Promise<void> {
    const { tables } = await call<{ tables: { name: string; type: string }[] }>(state.client, 'list_tables')
    for (const { name, type } of tables) {
      await write(state.client, `DROP ${type === 'view' ? 'VIEW' : 'TABLE'} IF EXISTS "${name.replaceAll('"', '""')}"`)
    }
  }
  return state
}
