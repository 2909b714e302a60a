/** A value, or a promise of it. Values are not awaited: that costs more than most handlers do. */
export type MaybePromise<T> = T | Promise<T>

/** True for values that `await` would wait for. */
export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  value instanceof Promise ||
  (typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function')
