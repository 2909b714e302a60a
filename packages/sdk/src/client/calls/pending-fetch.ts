import type { JsonObject } from '../../jsonrpc/message.ts'

/** A request whose result may be kept. */
export interface CacheableRequest {
  method: string
  params: JsonObject
}

/** A pending request, which equal ones may join instead of being sent. */
export class PendingFetch implements CacheableRequest {
  readonly method: string
  readonly params: JsonObject
  readonly joinable: boolean
  /** A change was announced meanwhile: the result is not shared. */
  outdated = false
  /** The result for requests that joined; undefined if they have to be sent. */
  readonly text: Promise<string | undefined>
  resolve!: (text: string | undefined) => void
  reject!: (error: unknown) => void

  constructor({ method, params }: CacheableRequest, joinable: boolean) {
    this.method = method
    this.params = params
    this.joinable = joinable
    this.text = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    // Mostly no request joins.
    this.text.catch(() => {})
  }
}
