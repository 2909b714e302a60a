import { McpError } from '../errors.ts'

/** A promise that fails with `cancelled` as soon as a signal fires. */
export function unlessAborted<T>(what: string, promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new McpError('cancelled', `${what} was cancelled`, { cause: signal.reason }))
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
