import type { JsonObject, RequestId } from '../../jsonrpc/message.ts'
import type { Peer } from '../../jsonrpc/peer.ts'
import type { Progress } from '../../model/progress.ts'
import { progressListener } from '../calls/wait-options.ts'

/** The progress of requests, and of tasks after the answer to their request. */
export class ProgressReports {
  readonly #peer: Peer
  readonly #report: (error: Error) => void
  /** The requests in flight that asked for progress. */
  readonly #requests = new Set<RequestId>()
  /** The listeners of tasks, by the requests that created them. */
  readonly #tasks = new Map<RequestId, (params: JsonObject) => void>()

  constructor(peer: Peer, report: (error: Error) => void) {
    this.#peer = peer
    this.#report = report
  }

  /** Accepts progress of a request until it is answered. */
  expect(id: RequestId, answer: Promise<unknown>): void {
    const forget = (): void => void this.#requests.delete(id)
    this.#requests.add(id)
    answer.then(forget, forget)
  }

  /** Accepts progress that is reported after the answer to a request, for a task. The returned function ends that. */
  expectForTask(id: RequestId, onProgress: (progress: Progress) => void): () => void {
    this.#tasks.set(id, progressListener(onProgress, this.#report))
    return () => {
      this.#tasks.delete(id)
    }
  }

  /** Progress gives more time only to calls that asked for it: no server can keep others waiting. */
  progressed(token: RequestId, params: JsonObject): void {
    // Tokens are request ids, and some servers return the integer 7 as "7".
    const id = this.#requests.has(token) ? token : Number(token)
    if (this.#requests.has(id) && this.#peer.progressed(id, params)) return
    this.#tasks.get(this.#tasks.has(token) ? token : id)?.(params)
  }
}
