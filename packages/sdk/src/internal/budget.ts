import { ErrorCode, RpcError } from '../errors.ts'

/** The kinds of state that peers can make a server keep. */
export const keptKinds = ['sessions', 'subscriptions', 'tasks', 'events', 'bodies', 'calls', 'unsent'] as const

export type KeptKind = (typeof keptKinds)[number]

/** The kept bytes of a kind, and their limit. */
export interface KeptFigures {
  readonly bytes: number
  readonly limit: number
}

/** Fits a process with 512 MB or a heap of 256 MB: most state is on the heap, and reading a message takes more. */
const defaultMaxKeptBytes: number = 128 * 1024 * 1024

/** Sixteenths of the budget. Each kind has a share of its own, so that a flood of one leaves the others alone. */
const shares: { readonly [kind in KeptKind]: number } = {
  sessions: 3,
  subscriptions: 2,
  tasks: 3,
  events: 2,
  bodies: 2,
  calls: 2,
  unsent: 2,
}

const names: { readonly [kind in KeptKind]: string } = {
  sessions: 'sessions',
  subscriptions: 'subscriptions',
  tasks: 'tasks',
  events: 'events',
  bodies: 'request bodies',
  calls: 'calls in progress',
  unsent: 'unread answers',
}

/**
 * The bytes that a server keeps for its peers. All state that outlives the turn in which it arrived holds a part of it,
 * counted by its size on the heap and not by the length of its text.
 */
export class Budget {
  readonly #limits: { [kind in KeptKind]: number }
  readonly #used: { [kind in KeptKind]: number } = {
    sessions: 0,
    subscriptions: 0,
    tasks: 0,
    events: 0,
    bodies: 0,
    calls: 0,
    unsent: 0,
  }

  constructor(maxKeptBytes: number = defaultMaxKeptBytes) {
    const limits = keptKinds.map((kind) => [kind, Math.floor((maxKeptBytes * shares[kind]) / 16)])
    this.#limits = Object.fromEntries(limits) as { [kind in KeptKind]: number }
  }

  /** Takes bytes of a share; undefined if too few are left. */
  take(kind: KeptKind, bytes: number): Hold | undefined {
    return this.fits(kind, bytes) ? new Hold(this, kind, bytes) : undefined
  }

  /** Takes bytes of a share; throws the error for the peer if too few are left. */
  need(kind: KeptKind, bytes: number): Hold {
    const hold = this.take(kind, bytes)
    if (hold === undefined) throw this.usedUp(kind)
    return hold
  }

  /** Counts existing state, so that the next request finds the share full. */
  charge(kind: KeptKind, bytes: number): Hold {
    return new Hold(this, kind, bytes)
  }

  fits(kind: KeptKind, bytes: number): boolean {
    return this.#used[kind] + bytes <= this.#limits[kind]
  }

  isFull(kind: KeptKind): boolean {
    return this.#used[kind] >= this.#limits[kind]
  }

  /** True if so much was charged that state has to be dropped: answers to accepted calls always count. */
  isOverrun(kind: KeptKind): boolean {
    return this.#used[kind] > 2 * this.#limits[kind]
  }

  limitOf(kind: KeptKind): number {
    return this.#limits[kind]
  }

  /** The error for a request when a share is used up. */
  usedUp(kind: KeptKind): RpcError {
    const limit = this.#limits[kind]
    const message = `The server has no memory left for ${names[kind]} (the limit is ${limit} bytes): try again later`
    return new RpcError(ErrorCode.InternalError, message, { reason: 'memory', kind, limit })
  }

  get figures(): { readonly [kind in KeptKind]: KeptFigures } {
    const all = keptKinds.map((kind) => [kind, { bytes: this.#used[kind], limit: this.#limits[kind] }])
    return Object.fromEntries(all) as { [kind in KeptKind]: KeptFigures }
  }

  /** For holds only: taken bytes have one owner that returns them. */
  static move(budget: Budget, kind: KeptKind, bytes: number): void {
    budget.#used[kind] += bytes
  }
}

/** Bytes that were taken, until they are released. */
export class Hold {
  readonly #budget: Budget
  readonly #kind: KeptKind
  #bytes: number
  #released = false

  constructor(budget: Budget, kind: KeptKind, bytes: number) {
    this.#budget = budget
    this.#kind = kind
    this.#bytes = bytes
    Budget.move(budget, kind, bytes)
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Takes more bytes; false, with nothing taken, if too few are left. */
  grow(bytes: number): boolean {
    return this.resize(this.#bytes + bytes)
  }

  /** Changes the number of held bytes; false, with nothing changed, if too few are left. */
  resize(bytes: number): boolean {
    const more = bytes - this.#bytes
    if (more > 0 && !this.#budget.fits(this.#kind, more)) return false
    this.set(bytes)
    return true
  }

  /** Sets the number of held bytes, even beyond the share. */
  set(bytes: number): void {
    if (this.#released) return
    Budget.move(this.#budget, this.#kind, bytes - this.#bytes)
    this.#bytes = bytes
  }

  /** Returns all bytes; harmless if called again. */
  release(): void {
    if (this.#released) return
    this.set(0)
    this.#released = true
  }
}

/** True if an error means that the budget is used up, and that a retry may help. */
export const isUsedUp = (error: { code: number; data?: unknown }): boolean =>
  error.code === ErrorCode.InternalError && (error.data as { reason?: unknown } | undefined)?.reason === 'memory'
