import type { ServerSummary } from '../reloading-server.ts'
import type { Exchange } from './exchanges.ts'

/** Shows the events of `tenon dev`. */
export interface DevView {
  ready(ready: ServerSummary): void
  /** The server could not be made; everybody waits for a change. */
  failed(message: string, hint?: string): void
  /** A server that worked has ended by itself. */
  crashed(message: string): void
  problem(message: string): void
  restarting(because: string): void
  exchange(exchange: Exchange, client: string): void
  /** A line that the server wrote. */
  line(text: string): void
}

/** The same for programs: one JSON document per event. */
export const jsonView = (write: (event: { [member: string]: unknown }) => void): DevView => ({
  ready: ({ tools, ...ready }) => write({ event: 'ready', ...ready, tools: tools.map(({ name }) => name) }),
  failed: (message, hint) => write({ event: 'failed', message, ...(hint && { hint }) }),
  crashed: (message) => write({ event: 'crashed', message }),
  problem: (message) => write({ event: 'problem', message }),
  restarting: (because) => write({ event: 'restarting', because }),
  exchange: (exchange, client) => write({ event: 'exchange', client, ...exchange }),
  line: (text) => write({ event: 'stderr', text }),
})
