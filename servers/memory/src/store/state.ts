import type { Change } from './change.ts'
import { cutLog, readLog } from './log.ts'
import { fingerprint, readCheckpoint, readSnapshot, type Snapshot } from './snapshot.ts'

/** Whoever keeps changing the file faster than it can be read gets the last word after this many attempts. */
const maxAttempts = 20

/** The memory file with its log, as they are in memory, and how far they were read. */
export class State {
  readonly file: string
  readonly logFile: string
  snapshot!: Snapshot
  /** The number of the last change that is in the graph. */
  seq = 0
  /** The end of the last line of the log that is in the graph. */
  logEnd = 0
  #seen = ''
  /** The last change that the memory file contains. */
  #savedSeq = 0

  constructor(file: string) {
    this.file = file
    this.logFile = `${file}.log`
    this.#load()
    this.catchUp()
  }

  /** True if the log has changes that the memory file lacks. */
  get hasUnsaved(): boolean {
    return this.seq > this.#savedSeq
  }

  /** Reads what other processes wrote. Returns the changes, or `all` if everything was read again. */
  catchUp(): readonly Change[] | 'all' {
    const news: Change[] = []
    let isReloaded = false
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const before = fingerprint(this.file)
      if (before !== this.#seen && !this.#isOnlySaved()) {
        this.#load()
        isReloaded = true
      }
      this.#seen = before
      const tail = this.#readOn()
      if (tail === 'gap') this.#seen = ''
      else {
        news.push(...tail)
        // A log is emptied after the file got its changes: if the file is the same, the log had all of them.
        if (fingerprint(this.file) === before) break
      }
    }
    return isReloaded ? 'all' : news
  }

  /** Removes the unfinished line of a killed process. The caller holds the lock. */
  async repair(): Promise<void> {
    const { isWhole, end } = readLog(this.logFile, this.logEnd)
    if (!isWhole) await cutLog(this.logFile, end)
  }

  /** Forgets what is in memory but not on the disk. */
  reload(): void {
    this.#load()
  }

  /** Notes that the file was saved, and the log emptied, by this process. */
  saved(logEnd: number): void {
    this.#seen = fingerprint(this.file)
    this.#savedSeq = this.seq
    this.logEnd = logEnd
  }

  apply(change: Change): void {
    for (const effect of change.effects) this.snapshot.graph.apply(effect)
    this.seq = change.seq
  }

  /** True if another process moved changes from the log into the file, and all of them are known. */
  #isOnlySaved(): boolean {
    if (this.#seen === '') return false
    const checkpoint = readCheckpoint(this.file)
    if (checkpoint === undefined || checkpoint.seq > this.seq) return false
    this.#savedSeq = checkpoint.seq
    this.logEnd = 0
    return true
  }

  #load(): void {
    this.#seen = fingerprint(this.file)
    const { changes, after = 0, end, unreadable } = readLog(this.logFile, 0)
    const snapshot = readSnapshot(this.file)
    this.snapshot = { ...snapshot, unreadable: [...snapshot.unreadable, ...unreadable] }
    const { checkpoint } = snapshot
    const missing = checkpoint === undefined ? changes : changes.filter(({ seq }) => seq > checkpoint.seq)
    this.seq = Math.max(checkpoint?.seq ?? 0, after)
    this.#savedSeq = missing.length > 0 ? missing[0]!.seq - 1 : this.seq
    for (const change of missing) this.apply(change)
    this.logEnd = end
  }

  #readOn(): Change[] | 'gap' {
    const { changes, after, end, isNew, unreadable } = readLog(this.logFile, this.logEnd)
    const news = changes.filter(({ seq }) => seq > this.seq)
    const isGap = isNew || unreadable.length > 0 || (after !== undefined && after > this.seq)
    if (isGap || (news.length > 0 && news[0]!.seq !== this.seq + 1)) return 'gap'
    for (const change of news) this.apply(change)
    this.logEnd = end
    return news
  }
}
