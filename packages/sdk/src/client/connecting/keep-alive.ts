import { isMcpError, McpError } from '../../errors.ts'

/** How a client finds out that its server is gone although nobody said so. */
export interface KeepAliveOptions {
  /** How often the server is pinged. */
  everyMs: number
  /** How long it may take to answer. 10 s. */
  timeoutMs?: number
}

interface Pinging {
  ping(timeoutMs: number): Promise<void>
  /** The server did not answer in time. */
  failed(reason: McpError): void
}

/** Pings from time to time, one ping after the other; the returned function stops that. */
export function keepAlive({ everyMs, timeoutMs = 10_000 }: KeepAliveOptions, { ping, failed }: Pinging): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  const wait = (): void => {
    if (stopped) return
    timer = setTimeout(check, everyMs)
    // It watches over a connection, and is no reason of its own to stay.
    ;(timer as { unref?(): void }).unref?.()
  }
  // Whoever refuses a ping is there all the same.
  const check = (): void => {
    ping(timeoutMs)
      .catch((error: unknown) => {
        if (stopped || !isMcpError(error) || error.code !== 'timeout') return
        failed(new McpError('closed', `The server did not answer a ping within ${timeoutMs} ms`, { cause: error }))
      })
      .finally(wait)
  }
  wait()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
