import { readFileSync, statSync } from 'node:fs'
import { type Change, parseChange } from './change.ts'
import { appendToFile, replaceFile } from './durable.ts'
import { readLog } from './log.ts'

/** Changes that left the log are kept in a file of their own, the newest ones up to a size. */
export class History {
  readonly #file: string
  readonly #logFile: string

  constructor(file: string) {
    this.#file = `${file}.history`
    this.#logFile = `${file}.log`
  }

  newestFirst(): Change[] {
    const bySeq = new Map<number, Change>()
    // A process that was killed between two steps leaves changes in both files.
    for (const change of [...this.#read(), ...readLog(this.#logFile, 0).changes]) bySeq.set(change.seq, change)
    return [...bySeq.values()].sort((a, b) => b.seq - a.seq)
  }

  /** Takes over the changes of the log, and drops the oldest ones above the size. The caller holds the lock. */
  async absorbLog(maxBytes: number): Promise<void> {
    const { changes } = readLog(this.#logFile, 0)
    if (changes.length === 0) return
    const text = changes.map((change) => `${JSON.stringify(change)}\n`).join('')
    if (this.#size() + Buffer.byteLength(text) <= maxBytes) return appendToFile(this.#file, text, true)
    // Half of the room is left, so that this does not happen each time.
    await replaceFile(this.#file, newestWithin(this.newestFirst(), maxBytes / 2), new Date())
  }

  #read(): Change[] {
    try {
      const lines = readFileSync(this.#file, 'utf8').split('\n')
      return lines.map(parseChange).filter((change) => change !== undefined)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  #size(): number {
    return statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0
  }
}

function newestWithin(newestFirst: readonly Change[], maxBytes: number): string[] {
  const lines: string[] = []
  let bytes = 0
  for (const change of newestFirst) {
    const line = `${JSON.stringify(change)}\n`
    bytes += Buffer.byteLength(line)
    if (bytes > maxBytes) break
    lines.unshift(line)
  }
  return lines
}
