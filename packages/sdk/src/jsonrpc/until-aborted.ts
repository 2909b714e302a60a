/** Resolves when a signal is aborted, after calling `then`; at once if it is already. */
export const untilAborted = (signal: AbortSignal, then: () => void): Promise<void> =>
  new Promise((resolve) => {
    const stop = (): void => {
      then()
      resolve()
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
