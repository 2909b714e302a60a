import { randomBytes } from 'node:crypto'
import { hashedLine, masked, maskedText, noHash } from '@tenon/host/parts'
import { McpError } from '@tenon/sdk/client'

/** Something that was decided or done. */
export interface GatewayAuditEvent {
  /** `decision`, `outcome`, `approval`, `pin`, `start`, `end`. */
  readonly type: string
  readonly args?: unknown
  /** The notes of guards. */
  readonly guards?: unknown
  /** Texts, numbers and truths. */
  readonly [fact: string]: unknown
}

/** A line of the log, with its place in the chain. */
export interface AuditLine {
  readonly chain: string
  readonly seq: number
  readonly hash: string
  readonly line: string
}

/** A place for the lines of a log. */
export interface AuditSink {
  /** The hash of the last line that is there; undefined if there is none. */
  last(): Promise<string | undefined>
  /** Resolves when the lines are as safe as the sink promises. Called one at a time. */
  write(lines: readonly AuditLine[]): Promise<void>
  close(): Promise<void>
}

const maxEntryChars = 16 * 1024
/** Shorter texts are no keys. */
const minMasked = 16
const noteDelayMs = 5
/** Texts that are remembered as they are shown. */
const maxTexts = 5_000
const maxKeptText = 256
/** Entries that wait for a slow disk; more of them fail. */
const maxWaitingBytes = 64 * 1024 * 1024

interface Batch {
  readonly lines: AuditLine[]
  readonly written: Promise<void>
  settle(error?: unknown): void
}

/**
 * An append-only log in which each line has the hash of the line before. Lines that are recorded while others are being
 * written go into the next write together, so the cost of a write is shared by all requests of that time.
 *
 * After a write that failed nobody knows how much of it arrived. Then a new chain begins at the last line that did, and its
 * first line tells how many entries were lost.
 */
export class AuditLog {
  readonly #sink: AuditSink
  readonly #now: () => Date
  #chain = newChain()
  #seq = 0
  #prev: string
  /** The hash of the last line that was written. */
  #safe: string
  #lost = 0
  #failure: unknown
  #waiting: Batch | undefined
  #writing: Promise<void> | undefined
  #waitingBytes = 0
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  /** Texts as they are shown, as JSON. */
  readonly #texts = new Map<string, string>()

  private constructor(sink: AuditSink, prev: string, now: () => Date) {
    this.#sink = sink
    this.#prev = prev
    this.#safe = prev
    this.#now = now
  }

  static async open(sink: AuditSink, now: () => Date = () => new Date()): Promise<AuditLog> {
    const log = new AuditLog(sink, (await sink.last()) ?? noHash, now)
    const started = log.#append({ type: 'start', pid: process.pid })
    log.#writing ??= log.#writeAll()
    await started
    return log
  }

  /** The failure of the last write; undefined if it worked. */
  get failure(): unknown {
    return this.#failure
  }

  /** Notes an event. Resolves when it is written; its place in the log is that of the call. */
  record(event: GatewayAuditEvent): Promise<void> {
    const written = this.#enter(event)
    this.#writing ??= this.#writeAll()
    return written
  }

  /** Notes an event that nobody waits for: it is written with the next one, or soon. */
  note(event: GatewayAuditEvent): Promise<void> {
    const written = this.#enter(event)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#writing ??= this.#writeAll()
    }, noteDelayMs)
    return written
  }

  #enter(event: GatewayAuditEvent): Promise<void> {
    if (this.#isClosed) return Promise.reject(new McpError('closed', 'The audit log was closed'))
    if (this.#waitingBytes > maxWaitingBytes) {
      this.#lost++
      return Promise.reject(new McpError('unavailable', 'The audit log is slower than its entries come'))
    }
    if (this.#seq === 0) this.#append({ type: 'start', pid: process.pid, lost: this.#lost })
    return this.#append(event)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    try {
      await this.record({ type: 'end' })
    } finally {
      this.#isClosed = true
      clearTimeout(this.#timer)
      await this.#writing
      await this.#sink.close()
    }
  }

  #append(event: GatewayAuditEvent): Promise<void> {
    const { line, hash } = this.#toLine(event)
    this.#waiting ??= newBatch()
    const { lines, written } = this.#waiting
    lines.push({ chain: this.#chain, seq: this.#seq++, hash, line })
    this.#waitingBytes += line.length
    this.#prev = hash
    return written
  }

  /** Written by hand: most of an entry is text that was in others before it. */
  #toLine(event: GatewayAuditEvent): { line: string; hash: string } {
    const { type, args, guards } = event
    const time = this.#now().toISOString()
    let body = `{"chain":"${this.#chain}","seq":${this.#seq},"time":"${time}","prev":"${this.#prev}","type":${JSON.stringify(type)}`
    for (const name in event) {
      if (!apart.has(name) && event[name] !== undefined)
        body += `,${JSON.stringify(name)}:${this.#fact(name, event[name])}`
    }
    const long = jsonMember('args', args) + jsonMember('guards', guards)
    const made = hashedLine(`${body}${long}}`)
    return made.line.length <= maxEntryChars ? made : hashedLine(`${body},"cut":true}`)
  }

  /** The same few names repeat, and looking for keys in them costs more than all the rest. */
  #fact(name: string, value: unknown): string {
    const isPlain = typeof value !== 'string' || value.length < minMasked || (name === 'id' && uuid.test(value))
    if (isPlain) return JSON.stringify(value)
    const known = this.#texts.get(value)
    if (known !== undefined) return known
    const shown = JSON.stringify(maskedText(value))
    if (this.#texts.size >= maxTexts) this.#texts.clear()
    if (value.length <= maxKeptText) this.#texts.set(value, shown)
    return shown
  }

  async #writeAll(): Promise<void> {
    // After the turn of the event loop: requests that arrived together are written together.
    await new Promise<void>((resolve) => setImmediate(resolve))
    for (let batch = this.#waiting; batch !== undefined; batch = this.#waiting) {
      this.#waiting = undefined
      await this.#write(batch)
    }
    this.#writing = undefined
  }

  async #write(batch: Batch): Promise<void> {
    const { lines } = batch
    try {
      await this.#sink.write(lines)
      this.#safe = lines.at(-1)!.hash
      if (lines[0]!.seq === 0) this.#lost = 0
      this.#failure = undefined
      batch.settle()
      this.#forget(lines)
    } catch (cause) {
      // Those that were recorded meanwhile follow lines that are not there.
      this.#failure = cause
      this.#fail(batch, cause)
      if (this.#waiting !== undefined) this.#fail(this.#waiting, cause)
      this.#waiting = undefined
      this.#chain = newChain()
      this.#seq = 0
      this.#prev = this.#safe
    }
  }

  #fail(batch: Batch, cause: unknown): void {
    this.#lost += batch.lines.filter(({ seq }) => seq > 0).length
    this.#forget(batch.lines)
    batch.settle(new McpError('unavailable', 'The audit log cannot be written', { cause }))
  }

  #forget(lines: readonly AuditLine[]): void {
    for (const { line } of lines) this.#waitingBytes -= line.length
  }
}

/** Members that are not written like the others. */
const apart: ReadonlySet<string> = new Set(['type', 'args', 'guards'])

/** The ids of requests are made here, and are no keys of anybody. */
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

const jsonMember = (name: string, value: unknown): string =>
  value === undefined ? '' : `,"${name}":${JSON.stringify(masked(value))}`

const newChain = (): string => randomBytes(8).toString('hex')

function newBatch(): Batch {
  let settle!: Batch['settle']
  const written = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error))
  })
  // Not everybody waits for it.
  written.catch(() => {})
  return { lines: [], written, settle }
}
