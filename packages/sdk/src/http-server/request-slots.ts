/** How many slots there are, and how many of them one caller may hold. */
interface RequestSlotLimits {
  readonly max: number
  readonly maxPerCaller: number
}

/** Why there is no slot: the server has none left, or the caller holds its share. */
export type SlotShortage = 'server' | 'caller'

/** The slots for requests in flight: nothing is counted but by taking one, and by its release. */
export class RequestSlots {
  readonly #limits: RequestSlotLimits
  readonly #byCaller = new Map<string, number>()
  #taken = 0
  #onEmpty: (() => void) | undefined

  constructor(limits: RequestSlotLimits) {
    this.#limits = limits
  }

  get taken(): number {
    return this.#taken
  }

  /** Takes a slot. Callers without a name cannot be told apart, so they have no share of their own. */
  take(caller: string | undefined): RequestSlot | SlotShortage {
    const { max, maxPerCaller } = this.#limits
    if (this.#taken >= max) return 'server'
    if (caller !== undefined) {
      const held = this.#byCaller.get(caller) ?? 0
      if (held >= maxPerCaller) return 'caller'
      this.#byCaller.set(caller, held + 1)
    }
    this.#taken++
    return new RequestSlot(this.#free, caller)
  }

  /** Waits until all slots are free, for at most `limitMs`. */
  async emptied(limitMs: number): Promise<void> {
    if (this.#taken === 0 || limitMs <= 0) return
    let timer: ReturnType<typeof setTimeout> | undefined
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve
      timer = setTimeout(resolve, limitMs)
    })
    clearTimeout(timer)
  }

  readonly #free = (caller: string | undefined): void => {
    if (caller !== undefined) this.#freeShare(caller)
    if (--this.#taken === 0) this.#onEmpty?.()
  }

  #freeShare(caller: string): void {
    const held = this.#byCaller.get(caller)!
    if (held > 1) this.#byCaller.set(caller, held - 1)
    else this.#byCaller.delete(caller)
  }
}

/** One slot, held from `take` until the first `release`. */
export class RequestSlot {
  readonly #caller: string | undefined
  #free: ((caller: string | undefined) => void) | undefined

  constructor(free: (caller: string | undefined) => void, caller: string | undefined) {
    this.#free = free
    this.#caller = caller
  }

  /** Gives the slot back, the first time it is called. */
  release(): void {
    const free = this.#free
    this.#free = undefined
    free?.(this.#caller)
  }
}
