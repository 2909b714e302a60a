import { mkdirSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { ToolError } from '@tenon/sdk/server'
import type { Effect, Entity, Graph } from '../graph.ts'
import { SearchIndex } from '../search/search-index.ts'
import type { Author, Change } from './change.ts'
import { removeDrafts, syncFile } from './durable.ts'
import { LockTimeout, withFileLock } from './file-lock.ts'
import { History } from './history.ts'
import { appendToLog, restartLog } from './log.ts'
import { type UnreadableLine, writeSnapshot } from './snapshot.ts'
import { State } from './state.ts'

const syncMs = 1_000
const lockTimeoutMs = 15_000
/** A log of this size is moved into the memory file. */
const maxLogBytes = 4_000_000
/** Changes that wait are written together, up to this many at once. */
const maxBatch = 500
/** An entity has to fit into one answer. */
const maxEntityLength = 1_000_000

export interface StoreLimits {
  /** Characters of all entities and relations. */
  readonly maxSize: number
  readonly maxHistoryBytes: number
}

export interface StoreOptions {
  limits(): StoreLimits
  isReadOnly(): boolean
  /** True if a change is acknowledged when it is on the disk; else the disk has it within a second. */
  isSynced(): boolean
  /** Tells the operator. */
  report(message: string): void
}

/** The effects of an edit on the graph as it is, and its answer. It must not change the graph itself. */
export interface Plan<T> {
  readonly effects: readonly Effect[]
  readonly result: T
  readonly undoes?: number
}

export type Planner<T> = (graph: Graph, at: string, newestFirst: () => readonly Change[]) => Plan<T>

interface Waiting {
  run(at: string): Change | undefined
  written(): void
  failed(error: unknown): void
}

/**
 * A memory file, shared with other processes. Every change is written to a log before it is acknowledged, under a lock; now and then, and at the end, the log is moved into the file, which is replaced at once.
 */
export class Store {
  readonly file: string
  readonly #options: StoreOptions
  readonly #state: State
  readonly #history: History
  readonly #waiting: Waiting[] = []
  readonly #listeners = new Set<(changes: readonly Change[] | 'all') => void>()
  #index: SearchIndex
  #writing: Promise<void> | undefined
  /** The changes of the batch that is being written. */
  #batch: Change[] = []
  #isAhead = false
  #syncTimer: NodeJS.Timeout | undefined

  constructor(file: string, options: StoreOptions) {
    if (!options.isReadOnly()) mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // A link stays a link: the file behind it is replaced.
    this.file = existing(file)
    this.#options = options
    this.#state = new State(this.file)
    this.#history = new History(this.file)
    this.#index = new SearchIndex(this.#state.snapshot.graph)
    this.#reportUnreadable()
  }

  /** The graph with everything that any process wrote. */
  get graph(): Graph {
    this.refresh()
    return this.#state.snapshot.graph
  }

  get index(): SearchIndex {
    this.refresh()
    if (this.#index.isWorn) this.#index = new SearchIndex(this.#state.snapshot.graph)
    return this.#index
  }

  get unreadable(): readonly UnreadableLine[] {
    return this.#state.snapshot.unreadable
  }

  /** The number of the last change. */
  get seq(): number {
    return this.#state.seq
  }

  newestFirst(): readonly Change[] {
    return this.#history.newestFirst()
  }

  /** Called after changes of any process. */
  onChange(listener: (changes: readonly Change[] | 'all') => void): void {
    this.#listeners.add(listener)
  }

  /** Reads what other processes wrote. */
  refresh(): void {
    // The graph is ahead of the disk while changes are written.
    if (!this.#isAhead) this.#caughtUp(this.#state.catchUp())
  }

  /** Plans a change on the newest graph, and resolves when it is on the disk. */
  change<T>(tool: string, author: Author, plan: Planner<T>): Promise<T> {
    const done = new Promise<T>((resolve, reject) => {
      let result: T
      this.#waiting.push({
        run: (at) => {
          const { graph } = this.#state.snapshot
          const { effects, undoes, ...planned } = plan(graph, at, () => [
            ...this.#batch.toReversed(),
            ...this.newestFirst(),
          ])
          result = planned.result
          if (effects.length === 0) return undefined
          this.#refuseGrowth(graph, effects)
          const change = {
            seq: this.#state.seq + 1,
            at,
            ...author,
            tool,
            ...(undoes !== undefined && { undoes }),
            effects,
          }
          this.#state.apply(change)
          return change
        },
        written: () => resolve(result),
        failed: reject,
      })
    })
    this.#writing ??= this.#writeAll()
    return done
  }

  /** Moves the log into the memory file and ends. */
  async close(): Promise<void> {
    await this.#writing
    clearTimeout(this.#syncTimer)
    if (this.#options.isReadOnly()) return
    await this.#locked(async () => {
      this.#caughtUp(this.#state.catchUp())
      await this.#save()
    }).catch((error) => this.#options.report(`the log stays as it is: ${(error as Error).message}`))
  }

  async #writeAll(): Promise<void> {
    // Everything that is called in the same turn is written together.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, maxBatch)
      try {
        await this.#locked(() => this.#writeBatch(batch))
      } catch (error) {
        const problem = this.#explain(error)
        for (const waiting of batch) waiting.failed(problem)
      }
    }
    this.#writing = undefined
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    this.#caughtUp(this.#state.catchUp())
    await this.#state.repair()
    const at = new Date().toISOString()
    const planned: Waiting[] = []
    this.#batch = []
    this.#isAhead = true
    for (const waiting of batch) {
      try {
        const change = waiting.run(at)
        if (change !== undefined) this.#batch.push(change)
        planned.push(waiting)
      } catch (error) {
        waiting.failed(error)
      }
    }
    await this.#append(this.#batch, planned)
    if (this.#state.logEnd > maxLogBytes) await this.#save().catch(({ message }) => this.#options.report(message))
  }

  async #append(changes: Change[], planned: readonly Waiting[]): Promise<void> {
    try {
      if (changes.length > 0)
        this.#state.logEnd += await appendToLog(this.#state.logFile, changes, this.#options.isSynced())
      this.#isAhead = false
      for (const waiting of planned) waiting.written()
      if (changes.length > 0) this.#tell(changes)
      if (!this.#options.isSynced()) this.#syncTimer ??= setTimeout(() => void this.#syncLater(), syncMs).unref()
    } catch (error) {
      this.#state.reload()
      this.#isAhead = false
      this.#caughtUp('all')
      const problem = this.#explain(error)
      for (const waiting of planned) waiting.failed(problem)
    } finally {
      this.#batch = []
    }
  }

  async #syncLater(): Promise<void> {
    this.#syncTimer = undefined
    await syncFile(this.#state.logFile).catch(({ message }) => this.#options.report(message))
  }

  /** Moves the changes of the log into the memory file. The caller holds the lock. */
  async #save(): Promise<void> {
    if (!this.#state.hasUnsaved) return
    await removeDrafts(this.file)
    await this.#history.absorbLog(this.#options.limits().maxHistoryBytes)
    await writeSnapshot(this.file, this.#state.snapshot, this.#state.seq)
    this.#state.saved(await restartLog(this.#state.logFile, this.#state.seq))
  }

  #locked<T>(work: () => Promise<T>): Promise<T> {
    return withFileLock(`${this.file}.lock`, lockTimeoutMs, work)
  }

  #caughtUp(news: readonly Change[] | 'all'): void {
    if (news === 'all') {
      this.#index = new SearchIndex(this.#state.snapshot.graph)
      this.#reportUnreadable()
    }
    if (news === 'all' || news.length > 0) this.#tell(news)
  }

  #tell(changes: readonly Change[] | 'all'): void {
    for (const listener of this.#listeners) listener(changes)
  }

  #refuseGrowth(graph: Graph, effects: readonly Effect[]): void {
    const { maxSize } = this.#options.limits()
    let grown = graph.size
    for (const effect of effects) {
      if ('relation' in effect) {
        if (effect.op === 'relate') grown += JSON.stringify(effect.relation).length
        continue
      }
      if (effect.op === 'remove' || effect.op === 'forget') continue
      const { name, observations } = 'entity' in effect ? effect.entity : effect
      const added = observations.reduce((sum, text) => sum + text.length, name.length)
      grown += added
      if (added + textLength(graph.entities.get(name)) > maxEntityLength) {
        throw new ToolError(
          `${name} would have more than ${maxEntityLength} characters. Nothing was changed. Use several entities with relations between them.`,
        )
      }
    }
    if (grown <= maxSize || grown <= graph.size) return
    throw new ToolError(
      `The memory would grow above ${maxSize} characters. Nothing was changed. Delete something, or start the server with a larger --max-size.`,
    )
  }

  #reportUnreadable(): void {
    for (const { number, problem } of this.unreadable.slice(0, 10)) {
      this.#options.report(`${this.file}, line ${number} is kept as it is, because it cannot be read: ${problem}`)
    }
  }

  #explain(error: unknown): unknown {
    const { code, message } = error as NodeJS.ErrnoException
    if (error instanceof LockTimeout) return new ToolError(`Nothing was changed: ${message}. Try again later.`)
    if (code === undefined) return error
    this.#options.report(message)
    const reason = reasons.get(code) ?? `the memory file cannot be written (${code})`
    return new ToolError(`Nothing was changed: ${reason}.`)
  }
}

const textLength = (entity: Entity | undefined): number =>
  entity?.observations.reduce((sum, text) => sum + text.length, 0) ?? 0

const reasons = new Map([
  ['ENOSPC', 'the disk is full. Free some space and try again'],
  ['EDQUOT', 'the disk quota is used up. Free some space and try again'],
  ['EACCES', 'this server may not write its memory file'],
  ['EPERM', 'this server may not write its memory file'],
  ['EROFS', 'the memory file is on a disk that cannot be written'],
])

function existing(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}
