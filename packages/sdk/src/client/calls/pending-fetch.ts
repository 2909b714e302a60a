import type { JsonObject } from '../../jsonrpc/message.ts'

/** A request whose result may be kept. */
export interface CacheableRequest {
  method: string
  params: JsonObject
}

/** A request on its way, which others may join instead of sending their own. */
export class PendingFetch implements CacheableRequest {
  readonly method: string
  readonly params: JsonObject
  readonly joinable: boolean
  /** A change was announced meanwhile: the result is not shared. */
  outdated = false
  /** The result for those who joined; undefined if they have to ask themselves. */
  readonly text: Promise<string | undefined>
  land!: (text: string | undefined) => void
  fail!: (error: unknown) => void

  constructor({ method, params }: CacheableRequest, joinable: boolean) {
    this.method = method
    this.params = params
    this.joinable = joinable
    this.text = new Promise((resolve, reject) => {
      this.land = resolve
      this.fail = reject
    })
    // Mostly nobody joins.
    this.text.catch(() => {})
  }
}
