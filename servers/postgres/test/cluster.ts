import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findPostgres } from '../../../scripts/programs.mjs'

/** A PostgreSQL server of our own, which is gone after the tests. */
export interface Cluster {
  /** The address for a login; the password is its name and `-secret`. */
  url(user: string, database?: string): string
  /** Runs statements as the superuser. */
  admin(...statements: string[]): Promise<pg.QueryResult>
  stop(): Promise<void>
}

/** PostgreSQL refuses to run as root, so root lends it another user. */
function otherUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const number = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: number('-u'), gid: number('-g') }
}

export async function startCluster(): Promise<Cluster> {
  const programs = findPostgres()!
  const owner = otherUser()
  const folder = mkdtempSync(join(tmpdir(), 'tenon-pg-'))
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, 'postgres-secret\n')
  if (owner) for (const path of [folder, passwordFile]) chownSync(path, owner.uid, owner.gid)
  const data = join(folder, 'data')
  const options = { ...owner, cwd: folder, stdio: 'ignore' as const }
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8', '--locale=C', '-N'],
    options,
  )
  const { port, server } = await startOnFreePort(programs, data, folder, options)
  const url = (user: string, database = 'shop'): string =>
    `postgres://${user}:${user}-secret@127.0.0.1:${port}/${database}`
  const admin = async (...statements: string[]): Promise<pg.QueryResult> => {
    const client = new pg.Client(url('postgres', 'postgres'))
    await client.connect()
    let last!: pg.QueryResult
    for (const statement of statements) last = await client.query(statement)
    await client.end()
    return last
  }
  const stop = async (): Promise<void> => {
    const exited = once(server, 'exit')
    // It closes connections at once, and writes nothing more.
    server.kill('SIGQUIT')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  await admin(
    "CREATE ROLE app LOGIN PASSWORD 'app-secret'",
    'CREATE ROLE reader NOLOGIN',
    'GRANT reader TO app',
    'CREATE DATABASE shop OWNER app',
  )
  return { url, admin, stop }
}

/** Another process may take the port before the server does; then another one is tried. */
async function startOnFreePort(
  programs: string,
  data: string,
  folder: string,
  options: object,
): Promise<{ port: number; server: ChildProcess }> {
  for (let attempt = 0; ; attempt++) {
    const port = await freePort()
    const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'fsync=off']
    const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]
    const server = spawn(join(programs, 'postgres'), args, options)
    if (await isReady(server, port)) return { port, server }
    if (attempt === 5) throw new Error('PostgreSQL does not start')
  }
}

async function isReady(server: ChildProcess, port: number): Promise<boolean> {
  while (server.exitCode === null && server.signalCode === null) {
    const client = new pg.Client(`postgres://postgres:postgres-secret@127.0.0.1:${port}/postgres`)
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return true
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  return false
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
