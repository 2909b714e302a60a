import { isMcpError, McpError } from '../../errors.ts'

/** Pings that detect a server that is gone without closing its connection. */
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
    // The timer alone does not keep the process running.
    ;(timer as { unref?(): void }).unref?.()
  }
  // A server that refuses a ping is alive.
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
