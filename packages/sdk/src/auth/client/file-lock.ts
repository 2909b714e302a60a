import { McpError } from '../../errors.ts'
import { builtin } from '../builtin.ts'
import type { Lock } from './store.ts'

export interface FileLockOptions {
  /** A lock whose holder has not shown a sign of life for this long is taken over. 30 s. */
  staleMs?: number
}

/** Across processes on one machine: a file for each key in `directory`, made by one and waited for by the others. */
export function fileLock(directory: string, { staleMs = 30_000 }: FileLockOptions = {}): Lock {
  return {
    hold: async (key, work, signal) => {
      const file = await fileFor(directory, key)
      const release = await acquire(file, staleMs, signal)
      try {
        return await work()
      } finally {
        await release()
      }
    },
  }
}

function files(): typeof import('node:fs/promises') {
  const found = builtin('node:fs/promises')
  if (found === undefined) throw new McpError('unsupported', 'There are no files here')
  return found
}

async function fileFor(directory: string, key: string): Promise<string> {
  await files().mkdir(directory, { recursive: true, mode: 0o700 })
  const name = builtin('node:crypto')!.createHash('sha256').update(key).digest('hex').slice(0, 32)
  return builtin('node:path')!.join(directory, `${name}.lock`)
}

async function acquire(file: string, staleMs: number, signal: AbortSignal | undefined): Promise<() => Promise<void>> {
  const { writeFile, utimes } = files()
  const mine = `${process.pid} ${builtin('node:os')!.hostname()} ${crypto.randomUUID()}`
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, 250)) {
    if (signal?.aborted) throw new McpError('cancelled', 'Nobody waits for the lock any more')
    try {
      await writeFile(file, mine, { flag: 'wx', mode: 0o600 })
      break
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    if (!(await breakStale(file, staleMs))) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  // A user may take minutes to log in, and the others shall know that this is no corpse.
  const beat = setInterval(() => utimes(file, new Date(), new Date()).catch(() => {}), staleMs / 3)
  beat.unref()
  return async () => {
    clearInterval(beat)
    if ((await contentOf(file)) === mine) await files().rm(file, { force: true })
  }
}

/** Removes a lock whose holder is gone; true if it did. */
async function breakStale(file: string, staleMs: number): Promise<boolean> {
  const { rename, link, rm } = files()
  const holder = await contentOf(file)
  if (holder === undefined || !(await isStale(file, holder, staleMs))) return false
  const aside = `${file}.${crypto.randomUUID()}`
  try {
    // Renaming is atomic: of several that see the corpse one gets it.
    await rename(file, aside)
  } catch {
    return false
  }
  const isCorpse = (await contentOf(aside)) === holder
  // Somebody was faster, and this is the lock of a living one: back with it.
  if (!isCorpse) await link(aside, file).catch(() => {})
  await rm(aside, { force: true })
  return isCorpse
}

async function isStale(file: string, holder: string, staleMs: number): Promise<boolean> {
  const { mtimeMs } = await files()
    .stat(file)
    .catch(() => ({ mtimeMs: Date.now() }))
  if (Date.now() - mtimeMs > staleMs) return true
  const [pid, host] = holder.split(' ')
  return host === builtin('node:os')!.hostname() && isDead(Number(pid))
}

function isDead(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return codeOf(error) === 'ESRCH'
  }
}

const contentOf = (file: string): Promise<string | undefined> =>
  files()
    .readFile(file, 'utf8')
    .catch(() => undefined)

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code
