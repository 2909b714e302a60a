/** A value that is there, or will be. What is there is not waited for: to wait costs more than most handlers do. */
export type MaybePromise<T> = T | Promise<T>

/** True for what `await` would wait for. */
export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  value instanceof Promise ||
  (typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function')
