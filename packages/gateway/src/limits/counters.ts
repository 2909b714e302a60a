/** At most `max` in `perMs`, given back evenly: a bucket that is full at first and fills again with time. */
export interface CounterLimit {
  readonly max: number
  readonly perMs: number
}

export interface Taken {
  readonly allowed: boolean
  /** 0 if it was allowed. */
  readonly retryAfterMs: number
}

/** Buckets by key. Several gateways may share one store. */
export interface CounterStore {
  /**
   * Takes `cost` out of the bucket of each limit if none of them is empty, otherwise nothing of any. The last take may cost
   * more than there is left; the next one waits for it.
   */
  take(key: string, cost: number, limits: readonly CounterLimit[]): Taken | Promise<Taken>
  /** Takes `cost` even out of an empty bucket: for work that was done. Without it `take` is called. */
  charge?(key: string, cost: number, limits: readonly CounterLimit[]): void | Promise<void>
}
