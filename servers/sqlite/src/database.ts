import { existsSync } from 'node:fs'
import { type ToolContext, ToolError } from '@tenon/sdk/server'
import type { LiveSettings } from '@tenon/server-kit'
import { EnginePool } from './engine/engine-pool.ts'
import { EngineFailure } from './engine/engine-process.ts'
import type { Call, EngineOptions, Kind, Result } from './engine/protocol.ts'
import type { SqliteSettings } from './sqlite-settings.ts'

/** The part of a context that a call of the engine needs. */
export type CallContext = Pick<ToolContext, 'signal'> & Partial<Pick<ToolContext, 'progress'>>

type ReadKind = 'read' | 'explain' | 'export'

/** A database behind processes: some that can only read it, and one that writes. */
export class Database {
  readonly file: string
  readonly #settings: LiveSettings<SqliteSettings & { readOnly: boolean }>
  readonly #readers: EnginePool
  readonly #writer: EnginePool
  readonly #afterWrite: () => void

  constructor(
    file: string,
    settings: LiveSettings<SqliteSettings & { readOnly: boolean }>,
    afterWrite: () => void = () => {},
  ) {
    this.file = file
    this.#settings = settings
    this.#afterWrite = afterWrite
    const options = (mode: EngineOptions['mode']) => (): EngineOptions => {
      const { foreignKeys, maxValue } = settings.current
      return { file, mode, foreignKeys, maxValueBytes: maxValue }
    }
    this.#readers = new EnginePool(options('read'), settings.current.parallel)
    this.#writer = new EnginePool(options('write'), 1)
  }

  get settings(): SqliteSettings {
    return this.#settings.current
  }

  /** Runs a call that changes nothing, in a process that cannot change anything. */
  async read<K extends ReadKind>(call: Call<K>, ctx: CallContext): Promise<Result<K>> {
    try {
      return (await this.#run(this.#readers, call as Call, ctx)) as Result<K>
    } catch (error) {
      if (!this.#isInterrupted(error)) throw told(error)
    }
    await this.#recover(ctx)
    return (await this.#run(this.#readers, call as Call, ctx).catch(rethrowTold)) as Result<K>
  }

  /** Runs a call that may change the database. */
  async write<K extends Exclude<Kind, ReadKind>>(call: Call<K>, ctx: CallContext): Promise<Result<K>> {
    if (this.#settings.current.readOnly) throw new ToolError('The server was started with --read-only.')
    try {
      return (await this.#run(this.#writer, call as Call, ctx)) as Result<K>
    } catch (error) {
      // The killed process may have left a transaction behind, which readers cannot take back.
      if (hasEnded(error)) await this.#recover({ signal: new AbortController().signal }).catch(() => {})
      throw told(error)
    } finally {
      this.#afterWrite()
    }
  }

  async close(): Promise<void> {
    // The writer merges the write-ahead log into the file, which readers would keep it from.
    await this.#readers.close()
    await this.#writer.close()
  }

  async #recover(ctx: CallContext): Promise<void> {
    await this.#run(this.#writer, { kind: 'recover' }, ctx).catch(rethrowTold)
  }

  /** The transaction of a process that died is in the way of a connection that may not write. */
  #isInterrupted(error: unknown): boolean {
    if (!(error instanceof EngineFailure) || error.reason !== 'failed' || this.#settings.current.readOnly) return false
    return /readonly database|unable to open/.test(error.message) && existsSync(`${this.file}-journal`)
  }

  async #run(pool: EnginePool, call: Call, ctx: CallContext): Promise<unknown> {
    const { timeout, maxMemory } = this.settings
    const { signal } = ctx
    const bounds = { timeMs: timeout, memoryBytes: maxMemory }
    if (call.kind === 'import' || call.kind === 'export') {
      return pool.run(call, {
        bounds,
        signal,
        progress: (rows) => void ctx.progress?.(rows, undefined, `${rows} rows`),
      })
    }
    const began = Date.now()
    // A statement cannot tell how far it is. The time that it may take is known.
    const ticker = setInterval(() => {
      const seconds = Math.min(Date.now() - began, timeout) / 1000
      void ctx.progress?.(seconds, timeout / 1000, 'seconds of those that a statement may take')
    }, 1_000)
    try {
      return await pool.run(call, { bounds, signal })
    } finally {
      clearInterval(ticker)
    }
  }
}

const hasEnded = (error: unknown): boolean =>
  error instanceof EngineFailure && ['time', 'memory', 'crash', 'cancelled'].includes(error.reason)

const rethrowTold = (error: unknown): never => {
  throw told(error)
}

/** The failure for the model, with the way out of it. */
function told(error: unknown): unknown {
  if (!(error instanceof EngineFailure)) return error
  switch (error.reason) {
    case 'refused':
      return new ToolError(error.message)
    case 'failed':
      return new ToolError(`Database error: ${error.message}${hintFor(error.message)}`)
    case 'time':
      return new ToolError(
        `The statement ran ${error.message} and was ended; an incomplete change is taken back. Make it simpler, add an index or a LIMIT, or ask the operator for a longer --timeout.`,
      )
    case 'memory':
      return new ToolError(
        `The statement needed ${error.message} of memory and was ended; an incomplete change is taken back. Ask for fewer or smaller values at once.`,
      )
    case 'cancelled':
      return new ToolError('The statement was cancelled; an incomplete change is taken back.')
    default:
      return new ToolError(`The statement ended its process: ${error.message}. An incomplete change is taken back.`)
  }
}

function hintFor(message: string): string {
  if (/no such (?:table|column)/.test(message)) return '. list_tables and describe_table show what there is.'
  if (/database is locked/.test(message)) return '. Another program writes to it; try again.'
  if (/too big/.test(message)) return '. Values have a limit (--max-value).'
  return ''
}
