import { randomBytes } from 'node:crypto'
import { McpError } from '@tenon/sdk/client'
import type { Approval } from './types.ts'

interface Entry {
  approval: Approval
  /** Of caller, item and exact arguments. */
  readonly binding: string
  readonly expires: number
  /** The request that went through with it. */
  usedBy?: string
  readonly waiting: Set<() => void>
}

export interface ApprovalQueueOptions {
  readonly maxEntries?: number
  readonly now?: () => number
  /** Told of each decision, for the audit log. */
  readonly onDecision?: (approval: Approval) => void
}

/** The requests that wait for a person. An approval is for one request of one caller with the same arguments. */
export class ApprovalQueue {
  readonly #entries = new Map<string, Entry>()
  readonly #byBinding = new Map<string, Entry>()
  readonly #maxEntries: number
  readonly #now: () => number
  readonly #onDecision: (approval: Approval) => void

  constructor({ maxEntries = 1_000, now = Date.now, onDecision = () => {} }: ApprovalQueueOptions = {}) {
    this.#maxEntries = maxEntries
    this.#now = now
    this.#onDecision = onDecision
  }

  /** Those that wait, the oldest first. */
  list(): Approval[] {
    this.#expire()
    return [...this.#entries.values()].map(({ approval }) => approval).filter(({ state }) => state === 'waiting')
  }

  /** Decides about a request. `allowOwn`: also if it is one's own. */
  decide(id: string, verdict: 'approve' | 'deny', by: string, allowOwn = false): Approval {
    this.#expire()
    const entry = this.#entries.get(id)
    if (entry?.approval.state !== 'waiting')
      throw new McpError('invalid_argument', `No request ${JSON.stringify(id)} waits`)
    if (verdict === 'approve' && !allowOwn && entry.approval.caller.id === by) {
      throw new McpError('invalid_argument', 'A request is approved by somebody else than its caller')
    }
    const state = verdict === 'approve' ? 'approved' : 'denied'
    entry.approval = { ...entry.approval, state, decidedBy: by, decidedAt: new Date(this.#now()).toISOString() }
    this.#onDecision(entry.approval)
    for (const wake of entry.waiting) wake()
    return entry.approval
  }

  /** The state of the question about a request; a new question if there is none. */
  ask(
    binding: string,
    requestId: string,
    question: Omit<Approval, 'id' | 'state' | 'askedAt' | 'expiresAt'>,
    { expiresAfterMs, maxPerCaller }: { expiresAfterMs: number; maxPerCaller: number },
  ): Approval {
    this.#expire()
    const known = this.#byBinding.get(binding)
    if (known !== undefined && (known.usedBy ?? requestId) === requestId) return known.approval
    if (known !== undefined) this.#remove(known)
    const own = [...this.#entries.values()].filter(({ approval }) => approval.caller.id === question.caller.id)
    if (own.length >= maxPerCaller || this.#entries.size >= this.#maxEntries) {
      throw new McpError('unavailable', 'Too many requests wait for an approval')
    }
    const now = this.#now()
    const approval: Approval = {
      ...question,
      id: randomBytes(12).toString('hex'),
      state: 'waiting',
      askedAt: new Date(now).toISOString(),
      expiresAt: new Date(now + expiresAfterMs).toISOString(),
    }
    const entry = { approval, binding, expires: now + expiresAfterMs, waiting: new Set<() => void>() }
    this.#entries.set(approval.id, entry)
    this.#byBinding.set(binding, entry)
    return approval
  }

  /** Waits for a decision, for the time given. */
  async wait(id: string, waitMs: number, signal: AbortSignal): Promise<Approval['state']> {
    const entry = this.#entries.get(id)
    if (entry === undefined) return 'denied'
    if (entry.approval.state === 'waiting' && waitMs > 0 && !signal.aborted) {
      let wake!: () => void
      const decided = new Promise<void>((resolve) => {
        wake = resolve
      })
      const timer = setTimeout(wake, Math.min(waitMs, entry.expires - this.#now()))
      signal.addEventListener('abort', wake)
      entry.waiting.add(wake)
      await decided
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      entry.waiting.delete(wake)
    }
    this.#expire()
    return this.#entries.has(id) ? entry.approval.state : 'denied'
  }

  /**
   * Uses an approval up, and tells who gave it. Undefined if another request was faster. A request with several rounds comes
   * again with the same id, and keeps its approval.
   */
  use(id: string, requestId: string): string | undefined {
    this.#expire()
    const entry = this.#entries.get(id)
    if (entry?.approval.state !== 'approved') return undefined
    entry.usedBy ??= requestId
    return entry.usedBy === requestId ? entry.approval.decidedBy : undefined
  }

  #expire(): void {
    const now = this.#now()
    for (const entry of this.#entries.values()) if (entry.expires <= now) this.#remove(entry)
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry.approval.id)
    this.#byBinding.delete(entry.binding)
  }
}
