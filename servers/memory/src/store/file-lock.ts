import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout } from 'node:timers/promises'

/** A holder works for milliseconds. One that cannot be asked for signs of life counts as dead after this time. */
const silentMs = 60_000
/** A process writes its name into a lock right after making it, unless it is killed between the two. */
const birthMs = 5_000
const maxPauseMs = 20

/** Another process keeps the lock. */
export class LockTimeout extends Error {
  override readonly name = 'LockTimeout'
}

interface Holder {
  readonly pid: number
  readonly host: string
  /** Tells a process from a later one with the same number. */
  readonly started: string | undefined
  readonly token: string
}

// These calls take microseconds, and as promises each would take a turn of the thread pool.

/**
 * Runs the work while no other process does. The lock is a file that names its holder; one whose holder was killed is
 * taken over.
 */
export async function withFileLock<T>(file: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const token = await acquire(file, timeoutMs)
  try {
    return await work()
  } finally {
    if (holderOf(file)?.token === token) rmSync(file, { force: true })
  }
}

async function acquire(file: string, timeoutMs: number): Promise<string> {
  const token = randomUUID()
  const end = performance.now() + timeoutMs
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    if (take(file, token)) return token
    const holder = holderOf(file)
    if (holder !== undefined && isGone(file, holder)) {
      await removeStale(file, holder.token, timeoutMs)
      continue
    }
    if (performance.now() > end) throw new LockTimeout(timedOut(file, holder, timeoutMs))
    // Waiting for different times keeps processes from meeting again and again.
    await setTimeout(pauseMs * (0.5 + Math.random()))
  }
}

function take(file: string, token: string): boolean {
  const holder: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid), token }
  try {
    writeFileSync(file, JSON.stringify(holder), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    // A full disk takes the name, and not the content.
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') rmSync(file, { force: true })
    throw error
  }
  // A process that was held up between making and writing may have been taken for dead.
  return holderOf(file)?.token === token
}

/**
 * Removes the lock of a dead process. Each such lock has a lock of its own, named by its token: of all that find it one
 * may remove it, and looks again first, so that nobody removes the lock of a process that came after.
 */
async function removeStale(file: string, token: string, timeoutMs: number): Promise<void> {
  await withFileLock(`${file}.${token.slice(0, 8)}`, timeoutMs, async () => {
    if (holderOf(file)?.token === token) rmSync(file, { force: true })
  })
}

/** The holder of a lock. One that has not written its name yet is known by the time of its file. */
function holderOf(file: string): Holder | undefined {
  try {
    const content = readFileSync(file, 'utf8')
    return parseHolder(content) ?? { pid: 0, host: '', started: undefined, token: String(statSync(file).mtimeMs) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function parseHolder(content: string): Holder | undefined {
  try {
    const { pid, host, started, token } = JSON.parse(content)
    return typeof pid === 'number' && typeof token === 'string' ? { pid, host, started, token } : undefined
  } catch {
    return undefined
  }
}

function isGone(file: string, { pid, host, started }: Holder): boolean {
  if (pid !== 0 && host === hostname()) return !isRunning(pid) || startOf(pid) !== started
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats !== undefined && Date.now() - stats.mtimeMs > (pid === 0 ? birthMs : silentMs)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
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

const timedOut = (file: string, holder: Holder | undefined, timeoutMs: number): string =>
  `waited ${timeoutMs} ms for the lock ${file}${holder && holder.pid !== 0 ? `, which process ${holder.pid} on ${holder.host} holds` : ''}`
