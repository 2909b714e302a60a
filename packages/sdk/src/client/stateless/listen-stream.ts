import { McpError } from '../../errors.ts'
import { longestTimerMs } from '../../internal/timers.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ClientConnection } from '../connecting/connection.ts'
import type { ConversationConnection } from '../conversation.ts'
import { toError } from '../options.ts'
import { type FilterEntries, filterOf, grantedEntries } from './subscription-filter.ts'

/** One `subscriptions/listen`, from its request to its end. */
export class ListenStream {
  readonly connection: ClientConnection
  readonly asked: FilterEntries
  /** The entries that the server acknowledged; undefined until then. */
  honoured: FilterEntries | undefined
  acknowledgedAt = 0
  /** Rejects if the server never does. */
  readonly acknowledged: Promise<void>
  /** Resolves at the end: with nothing if the server ended it in order, or with the error. */
  readonly ended: Promise<Error | undefined>
  readonly #id: number
  readonly #stop = new AbortController()
  #acknowledge!: () => void

  constructor(connection: ClientConnection, asked: FilterEntries, patienceMs: number) {
    this.connection = connection
    this.asked = asked
    // Ids of a client are numbers.
    this.#id = Number(connection.peer.reserveId())
    this.ended = connection.listen(this.#id, { notifications: filterOf(asked) }, this.#stop.signal).then(
      () => undefined,
      (error: unknown) => toError(error),
    )
    this.acknowledged = new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => {
          reject(new McpError('timeout', `subscriptions/listen was not acknowledged within ${patienceMs} ms`))
          this.close()
        },
        Math.min(patienceMs, longestTimerMs),
      )
      this.#acknowledge = () => {
        clearTimeout(timer)
        resolve()
      }
      void this.ended.then((error) => {
        clearTimeout(timer)
        reject(error ?? new McpError('closed', 'The server ended subscriptions/listen before it acknowledged it'))
      })
    })
    this.acknowledged.catch(() => {})
  }

  /** Whether the id is that of this stream; some servers return the integer 7 as "7". */
  isNamed(id: unknown, connection: ConversationConnection): boolean {
    return connection === this.connection && (id === this.#id || id === String(this.#id))
  }

  /** Whether the id is that of a stream that was opened before this one on the same connection. */
  follows(id: unknown, connection: ConversationConnection): boolean {
    const number = typeof id === 'string' ? Number(id) : id
    return (
      connection === this.connection && Number.isInteger(number) && Number(number) <= this.#id && Number(number) > 0
    )
  }

  /** False if it was acknowledged before, or is closed. */
  acknowledge(filter: JsonObject): boolean {
    if (this.honoured !== undefined || this.#stop.signal.aborted) return false
    this.honoured = grantedEntries(filter, this.asked)
    this.acknowledgedAt = performance.now()
    this.#acknowledge()
    return true
  }

  /** Whether it has all wanted entries, as far as the server acknowledges them, and no other. */
  covers(wanted: FilterEntries): boolean {
    for (const each of wanted) if (!this.asked.has(each)) return false
    for (const each of this.honoured ?? []) if (!wanted.has(each)) return false
    return true
  }

  /** Whether it has any wanted entry. */
  has(wanted: FilterEntries): boolean {
    return [...this.asked].some((each) => wanted.has(each))
  }

  /** The server cancelled it. */
  cancelled(): void {
    this.connection.peer.failed(this.#id, new McpError('closed', 'The server cancelled subscriptions/listen'))
  }

  close(): void {
    this.#stop.abort('it is not needed any more')
  }
}
