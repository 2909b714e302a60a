import { McpError } from '../../errors.ts'

/**
 * Waits for a while: one server that hangs must not hold up the others. The signal of the work fires when nobody waits for
 * it any more.
 */
export async function within<T>(
  timeoutMs: number,
  name: string,
  work: (abandoned: AbortSignal) => Promise<T>,
): Promise<T> {
  const abandon = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new McpError('timeout', `${name} did not answer within ${timeoutMs} ms`)
      reject(error)
      abandon.abort(error)
    }, timeoutMs)
  })
  const working = work(abandon.signal)
  try {
    return await Promise.race([working, late])
  } finally {
    clearTimeout(timer)
    working.catch(() => {})
  }
}
