import { McpError } from '../../errors.ts'
import { longestTimerMs } from '../../internal/timers.ts'

/** Reasons to end the work for a call before it is done. */
interface CallLimits {
  method: string
  /** The caller's. */
  signal?: AbortSignal | undefined
  /** Fires with the reason when the connection ends. */
  ending: AbortSignal
  /** The rest of the call's time. */
  remainingMs: number
}

/**
 * Runs work that people or models may take their time for. As soon as the call is aborted its signal fires, and the
 * work is not waited for any more; the same when one part of it fails.
 */
export async function whileWanted<T>(wanted: CallLimits, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { method, signal, ending, remainingMs } = wanted
  const stop = new AbortController()
  const cancelled = (): void =>
    stop.abort(new McpError('cancelled', `${method} was cancelled`, { cause: signal?.reason }))
  const ended = (): void => stop.abort(ending.reason)
  const expired = (): void =>
    stop.abort(new McpError('timeout', `${method} was not complete within the maximum total time`))
  if (signal?.aborted) cancelled()
  if (ending.aborted) ended()
  stop.signal.throwIfAborted()

  const timer = remainingMs <= longestTimerMs ? setTimeout(expired, remainingMs) : undefined
  signal?.addEventListener('abort', cancelled)
  ending.addEventListener('abort', ended)
  try {
    const stopped = new Promise<never>((_, reject) => {
      stop.signal.addEventListener('abort', () => reject(stop.signal.reason))
    })
    return await Promise.race([work(stop.signal), stopped])
  } catch (error) {
    stop.abort(error)
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancelled)
    ending.removeEventListener('abort', ended)
  }
}
