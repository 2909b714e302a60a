import { randomBytes } from 'node:crypto'
import type { RecordStore } from '@tenon/sdk/auth/server'
import { McpError } from '@tenon/sdk/client'
import type { Bus } from '@tenon/sdk/server'
import { ApprovalRecords } from './approval-records.ts'
import { Decisions } from './decisions.ts'
import { MemoryRecords } from './memory-records.ts'
import type { Approval } from './types.ts'

/** A place for the questions that several gateways share. */
export interface ApprovalStore {
  readonly records: RecordStore
  /** Tells the gateways of decisions. */
  readonly bus: Bus
}

export interface ApprovalQueueOptions {
  /** Default: the memory of this process. */
  readonly store?: ApprovalStore | undefined
  readonly maxEntries?: number
  /** ms since 1970. Default: a clock that nobody sets, or for several processes the one of the wall. */
  readonly now?: () => number
  /** Told of each decision that is made here, for the audit log. */
  readonly onDecision?: (approval: Approval) => void
}

/** Begins with the time of the wall and goes on by itself, also while somebody sets that. */
const steadyNow = (): number => performance.timeOrigin + performance.now()

/** The requests that wait for a person. An approval is for one request of one caller with the same arguments. */
export class ApprovalQueue {
  readonly #records: ApprovalRecords
  readonly #decisions: Decisions
  readonly #maxEntries: number
  readonly #now: () => number
  readonly #onDecision: (approval: Approval) => void

  constructor(options: ApprovalQueueOptions = {}) {
    const { store, maxEntries = 1_000, now = store === undefined ? steadyNow : Date.now } = options
    this.#records = new ApprovalRecords(store?.records ?? new MemoryRecords(now), now)
    this.#decisions = new Decisions(store?.bus)
    this.#maxEntries = maxEntries
    this.#now = now
    this.#onDecision = options.onDecision ?? (() => {})
  }

  /** Those that wait, the oldest first. */
  async list(): Promise<Approval[]> {
    const entries = await this.#records.all()
    return entries.map(({ approval }) => approval).filter(({ state }) => state === 'waiting')
  }

  /** Decides about a request. `allowOwn`: also if it is one's own. */
  async decide(id: string, verdict: 'approve' | 'deny', by: string, allowOwn = false): Promise<Approval> {
    const nonce = randomBytes(8).toString('hex')
    const entry = await this.#records.change(id, (found) => {
      const { approval } = found
      if (approval.state !== 'waiting') return undefined
      if (verdict === 'approve' && !allowOwn && approval.caller.id === by) {
        throw new McpError('invalid_argument', 'A request is approved by somebody else than its caller')
      }
      const state = verdict === 'approve' ? 'approved' : 'denied'
      const decidedAt = new Date(this.#now()).toISOString()
      return { ...found, approval: { ...approval, state, decidedBy: by, decidedAt }, decision: nonce }
    })
    // Somebody else may have decided at the same moment.
    if (entry?.decision !== nonce) throw new McpError('invalid_argument', `No request ${JSON.stringify(id)} waits`)
    this.#onDecision(entry.approval)
    await this.#decisions.tell(id)
    return entry.approval
  }

  /** The state of the question about a request; a new question if there is none. Undefined if too many wait. */
  async ask(
    binding: string,
    requestId: string,
    question: Omit<Approval, 'id' | 'state' | 'askedAt' | 'expiresAt'>,
    { expiresAfterMs, maxPerCaller }: { expiresAfterMs: number; maxPerCaller: number },
  ): Promise<Approval | undefined> {
    for (;;) {
      const before = await this.#records.idOf(binding)
      const known = before && (await this.#records.get(before.id))
      if (known !== undefined && (known.entry.usedBy ?? requestId) === requestId) return known.entry.approval
      const now = this.#now()
      const approval: Approval = {
        ...question,
        id: randomBytes(12).toString('hex'),
        state: 'waiting',
        askedAt: new Date(now).toISOString(),
        expiresAt: new Date(now + expiresAfterMs).toISOString(),
      }
      const entry = { approval, binding, expires: now + expiresAfterMs }
      const added = await this.#records.add(entry, before, { perCaller: maxPerCaller, entries: this.#maxEntries })
      if (added !== 'late') return added === 'added' ? approval : undefined
    }
  }

  /** Waits for a decision, for the time given. */
  async wait(id: string, waitMs: number, signal: AbortSignal): Promise<Approval['state']> {
    using decision = await this.#decisions.about(id)
    const found = await this.#records.get(id)
    if (found === undefined) return 'denied'
    const { approval, expires } = found.entry
    if (approval.state !== 'waiting') return approval.state
    await decision.made(Math.min(waitMs, expires - this.#now()), signal)
    return (await this.#records.get(id))?.entry.approval.state ?? 'denied'
  }

  /**
   * Uses an approval up, and tells who gave it. Undefined if another request was faster. A request with several rounds comes
   * again with the same id, and keeps its approval.
   */
  async use(id: string, requestId: string): Promise<string | undefined> {
    const entry = await this.#records.change(id, (found) =>
      found.approval.state === 'approved' && found.usedBy === undefined ? { ...found, usedBy: requestId } : undefined,
    )
    return entry?.approval.state === 'approved' && entry.usedBy === requestId ? entry.approval.decidedBy : undefined
  }

  /** Hears of no more decisions. */
  async close(): Promise<void> {
    await this.#decisions.close()
  }
}
