/** The longest delay that `setTimeout` takes; a longer one would fire at once. */
export const longestTimerMs: number = 2 ** 31 - 1

/** Resolves after a time, or as soon as the signal is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.min(ms, longestTimerMs))
    if (signal?.aborted) done()
    else signal?.addEventListener('abort', done)
  })
}

/** Lets the process end before the timer fires. */
export function unref<T>(timer: T): T {
  ;(timer as { unref?: () => void }).unref?.()
  return timer
}

/** Resolves after a time, if the process has other work until then. */
export const idlePause = (ms: number): Promise<void> => new Promise((resolve) => void unref(setTimeout(resolve, ms)))

/** Waits for a promise, but no longer than the limit; resolves to true if it settled in time. */
export async function withinMs(limitMs: number, promise: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, limitMs, false)
  })
  try {
    return await Promise.race([promise.then(() => true), tooLate])
  } finally {
    clearTimeout(timer)
  }
}

/** The pause before an attempt, the first being 1: doubling, up to a limit, with jitter. */
export function backoffMs(attempt: number, baseMs: number, limitMs: number): number {
  const delayMs = Math.min(limitMs, baseMs * 2 ** Math.min(attempt - 1, 20))
  // Never shorter than half: clients that lost the same server must not all come back at once, nor too soon.
  return Math.round(delayMs * (0.5 + Math.random() / 2))
}
