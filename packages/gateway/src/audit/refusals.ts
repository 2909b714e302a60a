import type { AuditLog, GatewayAuditEvent } from './audit-log.ts'

/** A refused request, as the log has it. */
interface RefusalEvent extends GatewayAuditEvent {
  readonly caller: string
  readonly reason: string
  readonly method: string
}

interface RefusalsOptions {
  /** The refusals of a caller that are noted one by one. Default 100, which come back at one per second. */
  readonly burst?: number
  readonly perSecond?: number
  /** The others are noted together, so often. Default 10 s. */
  readonly mergeMs?: number
  readonly now?: () => number
  readonly onError?: (error: unknown) => void
}

interface Allowance {
  left: number
  at: number
}

interface Merged {
  readonly caller: string
  readonly reason: string
  readonly method: string
  readonly since: string
  count: number
}

const maxCallers = 10_000
/** Reasons and methods are few; a caller has to be named for each. */
const maxMerged = 1_000

/**
 * Notes refused requests. A caller can send them as fast as it likes, with names that it makes up: beyond a rate they are counted,
 * and one entry has the number for each caller, reason and method.
 */
export class Refusals {
  readonly #audit: AuditLog
  readonly #options: Required<RefusalsOptions>
  readonly #allowances = new Map<string, Allowance>()
  #merged = new Map<string, Merged>()
  #timer: NodeJS.Timeout | undefined

  constructor(audit: AuditLog, options: RefusalsOptions = {}) {
    this.#audit = audit
    this.#options = {
      burst: 100,
      perSecond: 1,
      mergeMs: 10_000,
      now: () => performance.now(),
      onError: () => {},
      ...options,
    }
  }

  /** Notes a refusal, or counts it. */
  async record(event: RefusalEvent): Promise<void> {
    if (this.#isAllowed(event.caller)) await this.#audit.record(event)
    else this.#count(event)
  }

  /** Notes what was counted. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const merged = [...this.#merged.values()]
    this.#merged = new Map()
    await Promise.all(merged.map((counted) => this.#audit.record({ type: 'refusals', ...counted })))
  }

  async close(): Promise<void> {
    await this.flush()
  }

  #isAllowed(caller: string): boolean {
    const { burst, perSecond, now } = this.#options
    const at = now()
    const known = this.#allowances.get(caller) ?? { left: burst, at }
    // Set anew, so that the caller that was quiet for longest is forgotten first.
    this.#allowances.delete(caller)
    this.#allowances.set(caller, known)
    if (this.#allowances.size > maxCallers) this.#allowances.delete(this.#allowances.keys().next().value!)
    known.left = Math.min(burst, known.left + ((at - known.at) * perSecond) / 1_000)
    known.at = at
    if (known.left < 1) return false
    known.left--
    return true
  }

  #count({ caller, reason, method }: RefusalEvent): void {
    const key = JSON.stringify([caller, reason, method])
    const known = this.#merged.get(key)
    if (known !== undefined) known.count++
    else this.#merged.set(key, { caller, reason, method, since: new Date().toISOString(), count: 1 })
    if (this.#merged.size >= maxMerged) this.#flushQuietly()
    this.#timer ??= setTimeout(() => this.#flushQuietly(), this.#options.mergeMs).unref()
  }

  #flushQuietly(): void {
    this.flush().catch(this.#options.onError)
  }
}
