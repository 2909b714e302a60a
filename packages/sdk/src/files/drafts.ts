import { builtin } from '../internal/builtin.ts'

/** No draft takes this long to write. It counts if a process id is no evidence. */
const longestWriteMs = 10 * 60_000

const namePattern = /^\..{1,60}\.(\w{1,32})-(\d{1,10})-[0-9a-f-]{36}\.draft$/

/** The drafts that this process is writing, by absolute path. */
const own = new Set<string>()

/**
 * The path of a draft: a file or folder that gets its real name when it is complete. Its name identifies the writer, so
 * that drafts of killed processes differ from those that are being written. `endDraft` comes after it.
 */
export function newDraft(folder: string, base: string): string {
  const { basename, join, resolve } = builtin('node:path')!
  const name = basename(base).slice(0, 60) || 'file'
  const draft = join(resolve(folder), `.${name}.${host()}-${process.pid}-${crypto.randomUUID()}.draft`)
  own.add(draft)
  return draft
}

/** Removes a draft if it is still there. */
export async function endDraft(draft: string): Promise<void> {
  try {
    await remove(draft)
  } catch {
    // The next writer in this folder tries again.
  }
  own.delete(draft)
}

/** Removes the drafts of killed processes from a folder. It never rejects: drafts do no harm. */
export async function removeDeadDrafts(folder: string, names?: readonly string[]): Promise<void> {
  const { join, resolve } = builtin('node:path')!
  for (const name of names ?? (await namesIn(folder))) {
    const writer = namePattern.exec(name)
    if (writer === null) continue
    const path = join(resolve(folder), name)
    try {
      if (await isDead(path, writer[1]!, Number(writer[2]))) await remove(path)
    } catch {
      // Its writer has just finished, or it is not ours to remove.
    }
  }
}

const namesIn = (folder: string): Promise<string[]> =>
  builtin('node:fs/promises')!
    .readdir(folder)
    .catch(() => [])

/** A mistake here costs the writer a second try, because it notices that its draft is gone. */
async function isDead(path: string, writerHost: string, pid: number): Promise<boolean> {
  if (own.has(path)) return false
  const isHere = writerHost === host()
  if (isHere && pid !== process.pid) return !isRunning(pid) || (await ageOf(path)) > longestWriteMs
  const age = await ageOf(path)
  // In containers a process gets the id of the one before it. Threads share theirs.
  return age > (isHere ? Math.min(process.uptime() * 1_000, longestWriteMs) : longestWriteMs)
}

/** A time in the future is as far away as one in the past: a clock was set. */
async function ageOf(path: string): Promise<number> {
  const { mtimeMs } = await builtin('node:fs/promises')!.lstat(path)
  return Math.abs(Date.now() - mtimeMs)
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

const host = (): string => builtin('node:os')!.hostname().replace(/\W/g, '_').slice(0, 32) || 'host'

const remove = (path: string): Promise<void> => builtin('node:fs/promises')!.rm(path, { recursive: true, force: true })
