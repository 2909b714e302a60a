import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { truncate } from 'node:fs/promises'
import { type Change, parseChange } from './change.ts'
import { appendToFile, replaceFile } from './durable.ts'
import type { UnreadableLine } from './snapshot.ts'

/** New lines of the log, read from a place on. */
export interface LogTail {
  readonly changes: readonly Change[]
  /** The changes before the first one of this log are in the memory file. */
  readonly after: number | undefined
  /** The end of the last whole line. */
  readonly end: number
  /** False if the last line has no end: its writer is writing, or was killed. */
  readonly isWhole: boolean
  /** True if the log was replaced since the place was noted. */
  readonly isNew: boolean
  /** Whole lines that are no changes: the disk, or somebody, damaged them. */
  readonly unreadable: readonly UnreadableLine[]
}

/** Reads the log. A line that its writer did not finish is left for the next time. */
export function readLog(file: string, place: number): LogTail {
  const bytes = readFrom(file, place)
  if (bytes === 'shorter') return { ...readLog(file, 0), isNew: true }
  const end = bytes.lastIndexOf(10) + 1
  const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1)
  let after: number | undefined
  const changes: Change[] = []
  const unreadable: UnreadableLine[] = []
  lines.forEach((line, index) => {
    const change = parseChange(line)
    if (change !== undefined) changes.push(change)
    else if (place === 0 && index === 0 && startOf(line) !== undefined) after = startOf(line)
    else unreadable.push({ line, problem: 'expected a change in the log', number: index + 1 })
  })
  return { changes, after, end: place + end, isWhole: end === bytes.length, isNew: false, unreadable }
}

function readFrom(file: string, place: number): Buffer | 'shorter' {
  let handle: number
  try {
    handle = openSync(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return place === 0 ? Buffer.alloc(0) : 'shorter'
  }
  try {
    const { size } = fstatSync(handle)
    if (size < place) return 'shorter'
    const bytes = Buffer.alloc(size - place)
    return bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, place))
  } finally {
    closeSync(handle)
  }
}

function startOf(line: string): number | undefined {
  try {
    const { after } = JSON.parse(line)
    return Number.isSafeInteger(after) ? after : undefined
  } catch {
    return undefined
  }
}

/** Cuts off a line that its writer did not finish. The caller holds the lock, so the writer is gone. */
export const cutLog = (file: string, end: number): Promise<void> => truncate(file, end)

/** Begins an empty log that continues a memory file; returns its end. */
export async function restartLog(file: string, after: number): Promise<number> {
  const start = `${JSON.stringify({ after })}\n`
  await replaceFile(file, [start], new Date())
  return start.length
}

/** Writes changes to the log; returns their size. */
export async function appendToLog(file: string, changes: readonly Change[], isSynced: boolean): Promise<number> {
  const text = changes.map((change) => `${JSON.stringify(change)}\n`).join('')
  await appendToFile(file, text, isSynced)
  return Buffer.byteLength(text)
}
