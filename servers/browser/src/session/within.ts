/** Waits for something that may never end: until it does, the caller cancels, or the time is over. */
export async function within<T>(ms: number, signal: AbortSignal, running: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  let cancel = (): void => {}
  const ended = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), ms)
    cancel = () => reject(signal.reason)
    signal.addEventListener('abort', cancel)
  })
  // One of the two is left behind, and its failure concerns nobody.
  running.catch(() => {})
  ended.catch(() => {})
  try {
    return await Promise.race([running, ended])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
  }
}
