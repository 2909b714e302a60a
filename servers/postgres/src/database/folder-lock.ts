import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { Misuse } from '@tenon/server-kit'

interface Holder {
  readonly pid: number
  readonly host: string
  /** Tells a process from a later one with the same number. */
  readonly started: string | undefined
  readonly token: string
}

/**
 * Keeps other processes out of the folder of an embedded database: two would destroy it. The lock is a file beside the
 * folder that names its holder; the lock of a process that is gone is taken over.
 *
 * @returns The release.
 */
export function lockFolder(folder: string): () => void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    refuseOtherFiles(folder)
    return take(folder)
  } catch (error) {
    if (error instanceof Misuse) throw error
    throw new Misuse(`cannot use the folder ${folder}: ${(error as Error).message}`)
  }
}

/** A folder of something else is a mistake, and not a place for a database. */
function refuseOtherFiles(folder: string): void {
  const names = readdirSync(folder)
  if (names.length === 0 || names.includes('PG_VERSION')) return
  throw new Misuse(`expected an empty folder or one with a database, got ${folder} with ${JSON.stringify(names[0])}`)
}

function take(folder: string): () => void {
  const file = `${folder}.lock`
  const own: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid), token: randomUUID() }
  if (!create(file, own)) {
    const holder = read(file)
    if (holder === undefined || isRunning(holder) || !removeStale(file, holder) || !create(file, own)) {
      const who = holder === undefined ? 'another process' : `process ${holder.pid} on ${holder.host}`
      throw new Misuse(`${who} uses the database in ${folder}; end it, or name another folder (lock: ${file})`)
    }
  }
  return () => {
    if (read(file)?.token === own.token) rmSync(file, { force: true })
  }
}

function create(file: string, holder: Holder): boolean {
  try {
    writeFileSync(file, JSON.stringify(holder), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Of all that find the same stale lock one may remove it, and looks again first. */
function removeStale(file: string, holder: Holder): boolean {
  const claim = `${file}.${holder.token.slice(0, 8)}`
  if (!create(claim, holder)) return false
  if (read(file)?.token === holder.token) rmSync(file, { force: true })
  rmSync(claim, { force: true })
  return true
}

function read(file: string): Holder | undefined {
  try {
    const { pid, host, started, token } = JSON.parse(readFileSync(file, 'utf8'))
    const isHolder = Number.isInteger(pid) && typeof host === 'string' && /^[0-9a-f-]{36}$/.test(token)
    return isHolder ? { pid, host, started, token } : undefined
  } catch {
    return undefined
  }
}

/** A process of another machine cannot be asked, and counts as running. */
function isRunning({ pid, host, started }: Holder): boolean {
  if (host !== hostname()) return true
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return startOf(pid) === started
}

/** The start of a process in ticks since the machine was started, where the system tells it. */
function startOf(pid: number): string | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program comes second, and may contain anything.
    return fields.slice(fields.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
