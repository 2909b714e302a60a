import { createReadStream } from 'node:fs'
import { noHash, type ReadEntry, readLine } from './chain.ts'

/** A place where an audit log is not as it was written. */
export interface AuditProblem {
  /** From 1. */
  readonly line: number
  readonly message: string
}

/** The outcome of `verifyAudit`. */
export interface AuditReport {
  readonly ok: boolean
  readonly entries: number
  /** How often a host opened the file. */
  readonly starts: number
  /** Lines that a killed process left half written. */
  readonly torn: number
  /** The last hash. Kept at another place, it shows whether the end of the file was cut off. */
  readonly last: string
  /** At most 100. */
  readonly problems: readonly AuditProblem[]
}

const maxProblems = 100
const maxLineChars = 64 * 1024
/** A host that starts finds the last line of the file; other processes may write a few more before its own. */
const maxBetween = 1_000

/**
 * Checks an audit log: every line has its own hash and that of the line before, none is missing, changed or moved.
 *
 * @example
 * const { ok, problems } = await verifyAudit('audit.jsonl')
 */
export async function verifyAudit(file: string): Promise<AuditReport> {
  const verifier = new ChainVerifier()
  for await (const line of auditLines(file)) verifier.line(line)
  return verifier.report()
}

/** The lines of a file; of one that is too long to be an entry, the beginning. */
export async function* auditLines(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!.slice(0, maxLineChars)
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Follows the chains of an audit log, line by line. */
export class ChainVerifier {
  /** Entries at which other chains begin, wherever they stand. */
  readonly #anchors: ReadonlySet<string>
  readonly #chains = new Map<string, Pick<ReadEntry, 'seq' | 'hash'>>()
  readonly #recent = new Set<string>()
  readonly #seenAnchors = new Set<string>()
  readonly #problems: AuditProblem[] = []
  #line = 0
  #entries = 0
  #torn = 0
  #last = noHash

  constructor(anchors: ReadonlySet<string> = new Set()) {
    this.#anchors = anchors
  }

  line(line: string): void {
    this.#line++
    if (line === '') return
    const entry = readLine(line)
    if (entry === undefined) {
      // Half a line is no entry; a changed one breaks its chain. Only the complete form tells them apart.
      if (/^\{"chain":.*"hash":"[\da-f]{64}"\}$/.test(line)) this.#problem('its hash is not that of its content')
      else this.#torn++
      return
    }
    this.#entries++
    this.#follow(entry)
    this.#last = entry.hash
    this.#recent.add(entry.hash)
    if (this.#anchors.has(entry.hash)) this.#seenAnchors.add(entry.hash)
    if (this.#recent.size > maxBetween) for (const oldest of this.#recent) return void this.#recent.delete(oldest)
  }

  report(): AuditReport {
    return {
      ok: this.#problems.length === 0,
      entries: this.#entries,
      starts: this.#chains.size,
      torn: this.#torn,
      last: this.#last,
      problems: this.#problems,
    }
  }

  #follow({ chain, seq, prev, hash, type }: ReadEntry): void {
    const before = this.#chains.get(chain)
    this.#chains.set(chain, { seq, hash })
    if (before === undefined) {
      if (seq !== 0 || type !== 'start') this.#problem('the entries before it are missing')
      const isFirst = this.#entries === 1
      const isKnown = this.#recent.has(prev) || this.#seenAnchors.has(prev)
      if (prev === noHash ? !isFirst : !isKnown) this.#problem('the entry that it follows is missing')
    } else if (seq !== before.seq + 1 || prev !== before.hash) {
      this.#problem('the entry before it is missing, changed or moved')
    }
  }

  #problem(message: string): void {
    if (this.#problems.length < maxProblems) this.#problems.push({ line: this.#line, message })
  }
}
