import { McpError } from '../errors.ts'

interface Waiting {
  callbacks: Set<() => void>
  listener: () => void
}

// One listener per signal, shared by all callbacks: Node warns of a leak beyond ten.
const waiting = new WeakMap<AbortSignal, Waiting>()

/** Calls back when a signal is aborted. The returned function removes the callback. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const known = waiting.get(signal) ?? listenTo(signal)
  known.callbacks.add(callback)
  return () => {
    known.callbacks.delete(callback)
    if (known.callbacks.size > 0 || waiting.get(signal) !== known) return
    waiting.delete(signal)
    signal.removeEventListener('abort', known.listener)
  }
}

function listenTo(signal: AbortSignal): Waiting {
  const callbacks = new Set<() => void>()
  const listener = (): void => {
    for (const callback of [...callbacks]) callback()
  }
  const made = { callbacks, listener }
  waiting.set(signal, made)
  signal.addEventListener('abort', listener, { once: true })
  return made
}

/** Resolves when a signal is aborted, after the callback has run; at once if it is aborted already. */
export const untilAborted = (signal: AbortSignal, callback: () => void): Promise<void> =>
  new Promise((resolve) => {
    const stop = (): void => {
      callback()
      resolve()
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })

/** The promise itself, unless the signal is aborted first: then it rejects with `cancelled`. */
export function unlessAborted<T>(what: string, promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new McpError('cancelled', `${what} was cancelled`, { cause: signal.reason }))
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
