import { McpError } from '../../../errors.ts'
import { endDraft, isRunning, newDraft } from '../../../files/drafts.ts'
import { builtin } from '../../../internal/builtin.ts'
import type { Lock } from './store.ts'

/** Without links, a process writes its name into a lock the moment after making it, unless it is killed. */
const longestBirthMs = 2_000

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
  const { utimes } = files()
  const mine = `${process.pid} ${builtin('node:os')!.hostname()} ${crypto.randomUUID()}`
  const watch = new Watch(file, staleMs)
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, 250)) {
    if (signal?.aborted) throw new McpError('cancelled', 'Nobody waits for the lock any more')
    if (await take(file, mine)) break
    const corpse = await watch.corpse()
    if (corpse === undefined || !(await remove(file, corpse)))
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  // A user may take minutes to log in, and the others shall know that this is no corpse.
  const beat = setInterval(() => utimes(file, new Date(), new Date()).catch(() => {}), staleMs / 3)
  beat.unref()
  return async () => {
    clearInterval(beat)
    if ((await contentOf(file).catch(() => undefined)) === mine) await files().rm(file, { force: true })
  }
}

/**
 * Makes the lock; false if there is one. It gets its name with its content, so a kill leaves no lock without an owner.
 */
async function take(file: string, mine: string): Promise<boolean> {
  if ((await contentOf(file)) !== undefined) return false
  const draft = newDraft(builtin('node:path')!.dirname(file), file)
  try {
    await files().writeFile(draft, mine, { flag: 'wx', mode: 0o600 })
    return await linked(draft, file, mine)
  } finally {
    await endDraft(draft)
  }
}

async function linked(draft: string, file: string, mine: string): Promise<boolean> {
  try {
    await files().link(draft, file)
    return true
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(codeOf(error)!)) return false
    return makeInPlace(file, mine)
  }
}

/** For file systems without links. */
async function makeInPlace(file: string, mine: string): Promise<boolean> {
  try {
    await files().writeFile(file, mine, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    // A full disk takes the name, and not the content.
    await files().rm(file, { force: true })
    throw error
  }
  // A process that was held up between the two may have been taken for dead.
  return (await contentOf(file)) === mine
}

/**
 * A lock as a waiting process sees it. Clocks may be set, so the process measures how long the lock stays unchanged.
 */
class Watch {
  readonly #file: string
  readonly #staleMs: number
  #seen = ''
  #since = 0

  constructor(file: string, staleMs: number) {
    this.#file = file
    this.#staleMs = staleMs
  }

  /** The content of a lock whose holder is gone; undefined if it is not. */
  async corpse(): Promise<string | undefined> {
    const holder = await contentOf(this.#file)
    const stats = await files()
      .stat(this.#file)
      .catch(() => undefined)
    if (holder === undefined || stats === undefined) return undefined
    const seen = `${holder} ${stats.mtimeMs}`
    if (seen !== this.#seen) {
      this.#seen = seen
      this.#since = performance.now()
    }
    return this.#isStale(holder, Date.now() - stats.mtimeMs) ? holder : undefined
  }

  #isStale(holder: string, ageMs: number): boolean {
    const unchangedMs = performance.now() - this.#since
    if (holder === '') return unchangedMs > Math.min(longestBirthMs, this.#staleMs)
    const [pid, host] = holder.split(' ')
    if (host === builtin('node:os')!.hostname() && isDead(Number(pid))) return true
    // A living holder touches the lock three times in this time, by any clock.
    return unchangedMs > this.#staleMs || (ageMs > this.#staleMs && unchangedMs > this.#staleMs / 2)
  }
}

/** Removes a lock whose holder is gone; true if it did. */
async function remove(file: string, corpse: string): Promise<boolean> {
  const { rename, link } = files()
  const aside = newDraft(builtin('node:path')!.dirname(file), file)
  try {
    // Renaming is atomic: of several that see the corpse one gets it.
    await rename(file, aside)
    const isCorpse = (await contentOf(aside)) === corpse
    // Another process was faster, and its lock is alive: it is put back.
    if (!isCorpse) await link(aside, file).catch(() => {})
    return isCorpse
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error)!)) throw stuck(file, 'removed', error)
    return false
  } finally {
    await endDraft(aside)
  }
}

const isDead = (pid: number): boolean => Number.isInteger(pid) && pid > 0 && !isRunning(pid)

/** The content of a lock; undefined if there is none. One that cannot be read would be waited for without end. */
async function contentOf(file: string): Promise<string | undefined> {
  try {
    return await files().readFile(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw stuck(file, 'read', error)
  }
}

const stuck = (file: string, what: 'read' | 'removed', cause: unknown): McpError =>
  new McpError(
    'unsupported',
    `The lock ${file} cannot be ${what} (${codeOf(cause)}). If no other program is using it, remove it by hand`,
    { cause },
  )

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code
