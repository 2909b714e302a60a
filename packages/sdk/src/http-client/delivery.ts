import { McpError } from '../errors.ts'
import { onAbort } from '../internal/abort.ts'
import type { OutgoingHttpRequest } from './engines/engine.ts'
import { refusedError } from './http-error.ts'
import type { HttpWire } from './http-wire.ts'
import type { ReplyOutcome } from './streams/reply.ts'

interface Delivery {
  /** The message's name, for errors. */
  what: string
  timeoutMs: number
  session: boolean
  signal: AbortSignal
}

/** Sends a message without an answer; done when the server has accepted it. */
export function deliver(
  wire: HttpWire,
  request: Omit<OutgoingHttpRequest, 'url'> & { url?: URL },
  plan: Delivery,
): Promise<void> {
  const { what, timeoutMs, session, signal } = plan
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      handle.drop()
      end(new McpError('closed', 'The connection is closed'))
    }
    const end = (error: Error | undefined): void => {
      clearTimeout(timer)
      stopListening()
      if (error === undefined) resolve()
      else reject(error)
    }
    const finished = (outcome: ReplyOutcome): void => {
      if (outcome.kind === 'refused') end(refusedError(what, outcome.head, outcome.body, session))
      else end(outcome.kind === 'broken' ? outcome.error : undefined)
    }
    // It is accepted with any body. The rest is read only to keep the connection.
    const accepted = (_: unknown, streamed: boolean): void => {
      resolve()
      if (!streamed) return
      handle.drop()
      end(undefined)
    }
    const ignore = (): void => {}
    const preparing = (): void => {
      clearTimeout(timer)
      timer = patience()
    }
    const handle = wire.send(request, { accepted, value: ignore, unreadable: ignore, finished, preparing })
    const patience = (): ReturnType<typeof setTimeout> =>
      setTimeout(() => {
        handle.drop()
        end(new McpError('timeout', `The server did not take ${what} within ${timeoutMs} ms`))
      }, timeoutMs)
    let timer = patience()
    const stopListening = onAbort(signal, stop)
    if (signal.aborted) stop()
  })
}
