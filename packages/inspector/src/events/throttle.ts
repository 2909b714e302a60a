/** Runs `work` at once, and then at most once per interval for any number of calls; the last call is never lost. */
export function throttle(intervalMs: number, work: () => void): { (): void; flush(): void } {
  let timer: NodeJS.Timeout | undefined
  let waiting = false
  const tick = (): void => {
    timer = undefined
    if (waiting) run()
  }
  const run = (): void => {
    waiting = false
    work()
    timer = setTimeout(tick, intervalMs)
    timer.unref()
  }
  const throttled = (): void => {
    if (timer === undefined) run()
    else waiting = true
  }
  /** Runs a waiting call now, and none after it. */
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (waiting) work()
    waiting = false
  }
  return Object.assign(throttled, { flush })
}
