import { write } from 'node:fs'
import { type FileHandle, mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readLine } from '@tenon/host/parts'
import type { AuditLine, AuditSink } from './audit-log.ts'

/** `always`: after each write, before its requests go on. `interval`: in the background. `never`: the system decides. */
export type SyncPolicy = 'always' | 'interval' | 'never'

export interface AuditFilesOptions {
  readonly folder: string
  /** A file that is larger is followed by another. */
  readonly maxFileBytes?: number
  readonly sync?: SyncPolicy
  readonly syncEveryMs?: number
}

const suffix = '.jsonl'
const tailBytes = 64 * 1024

/** The files of a log, the oldest first. */
export async function auditFileNames(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names.filter((name) => /^\d{17}-[\da-f]{16}-\d{12}\.jsonl$/.test(name)).sort()
}

/**
 * A log in the files of a folder. A file belongs to one chain, so several processes may write into the folder. Its name has
 * the time, the chain and the number of its first entry.
 */
export function auditFiles(options: AuditFilesOptions): AuditSink {
  const { folder, maxFileBytes = 64 * 1024 * 1024, sync = 'interval', syncEveryMs = 1_000 } = options
  let current: { handle: FileHandle; chain: string; bytes: number } | undefined
  let isDirty = false
  let syncFailure: unknown

  const timer =
    sync === 'interval'
      ? setInterval(() => {
          if (!isDirty || current === undefined) return
          isDirty = false
          current.handle.datasync().catch((error: unknown) => {
            syncFailure = error
          })
        }, syncEveryMs).unref()
      : undefined

  const closeFile = async (): Promise<void> => {
    const last = current
    current = undefined
    if (last === undefined) return
    try {
      if (sync !== 'never') await last.handle.datasync()
    } finally {
      await last.handle.close()
    }
  }

  const fileFor = async ({ chain, seq }: AuditLine, bytes: number): Promise<{ handle: FileHandle; bytes: number }> => {
    if (current?.chain === chain && (current.bytes === 0 || current.bytes + bytes <= maxFileBytes)) return current
    // A new chain follows a failure: then the old file may not be closed properly either.
    const isSame = current?.chain === chain
    await closeFile().catch((error: unknown) => {
      if (isSame) throw error
    })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const time = new Date().toISOString().replace(/\D/g, '')
    const name = `${time}-${chain}-${String(seq).padStart(12, '0')}${suffix}`
    current = { handle: await open(join(folder, name), 'ax', 0o600), chain, bytes: 0 }
    if (sync === 'always') await syncFolder(folder)
    return current
  }

  return {
    last: () => lastHash(folder),
    async write(lines) {
      if (syncFailure !== undefined) {
        const error = syncFailure
        syncFailure = undefined
        throw error
      }
      const bytes = Buffer.from(lines.map(({ line }) => line).join(''))
      const file = await fileFor(lines[0]!, bytes.length)
      await writeAll(file.handle.fd, bytes)
      file.bytes += bytes.length
      isDirty = true
      if (sync === 'always') await file.handle.datasync()
    },
    async close() {
      clearInterval(timer)
      await closeFile()
    },
  }
}

/** With a callback: that costs a third of the promise of a handle, and each request pays for it. */
function writeAll(fd: number, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (from: number): void => {
      write(fd, bytes, from, (error, written) => {
        if (error !== null) reject(error)
        else if (from + written === bytes.length) resolve()
        else next(from + written)
      })
    }
    next(0)
  })
}

/** The name of a new file is as safe as its content. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The hash of the last complete line; that of the newest file that has one. */
async function lastHash(folder: string): Promise<string | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of (await auditFileNames(folder)).reverse()) {
    const handle = await open(join(folder, name), 'r')
    try {
      const { size } = await handle.stat()
      const length = Math.min(size, tailBytes)
      const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length)
      for (const line of buffer.toString('utf8').split('\n').reverse()) {
        const entry = readLine(line)
        if (entry !== undefined) return entry.hash
      }
    } finally {
      await handle.close()
    }
  }
  return undefined
}
