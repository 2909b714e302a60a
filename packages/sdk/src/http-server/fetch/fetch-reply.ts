import type { HttpReply, ReplyHeaders, ReplyStream } from '../../http/request.ts'
import type { Budget, Hold } from '../../internal/budget.ts'
import { type Gate, gate } from '../../internal/gate.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Text } from '../../transport/cached-text.ts'

/** An answer of the Fetch standard. */
export class FetchReply implements HttpReply {
  readonly response: Promise<Response>
  readonly #maxBufferedBytes: number
  readonly #budget: Budget
  readonly #request: Request
  #resolve!: (response: Response) => void
  #answered = false
  #complete = false
  #left = false
  #onGone: (() => void)[] | undefined
  #leave: (() => void) | undefined

  constructor(request: Request, maxBufferedBytes: number, budget: Budget) {
    this.#maxBufferedBytes = maxBufferedBytes
    this.#budget = budget
    this.#request = request
    this.response = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  get crowded(): boolean {
    return this.#budget.isFull('unsent')
  }

  send(status: number, headers: ReplyHeaders, body?: Text): void {
    this.#done()
    const content = typeof body === 'object' ? body.toBytes() : (body ?? null)
    this.#answer(new Response(content, { status, headers: withoutHops(headers) }))
  }

  stream(headers: ReplyHeaders): ReplyStream {
    const stream = new FetchStream(this.#maxBufferedBytes, this.#budget, {
      ended: () => this.#done(),
      gone: () => this.#gone(),
    })
    this.#answer(new Response(stream.readable, { status: 200, headers: withoutHops(headers) }))
    return stream
  }

  onGone(listener: () => void): void {
    if (this.#left) listener()
    if (this.#complete) return
    // Runtimes make the signal when it is first read, and most requests never need it.
    if (this.#onGone !== undefined) {
      this.#onGone.push(listener)
      return
    }
    this.#onGone = [listener]
    const { signal } = this.#request
    this.#leave = () => this.#gone()
    if (signal.aborted) this.#leave()
    else signal.addEventListener('abort', this.#leave)
  }

  #gone(): void {
    if (this.#complete) return
    const listeners = this.#onGone ?? []
    this.#done()
    for (const listener of listeners) listener()
    // Nobody reads it, but the caller of the handler waits for a response.
    if (!this.#answered) this.#answer(new Response(null, { status: 499 }))
    this.#left = true
  }

  #answer(response: Response): void {
    // A client that has left needs no response.
    if (this.#left) return
    if (this.#answered) throw new Error('The request is answered already')
    this.#answered = true
    this.#resolve(response)
  }

  #done(): void {
    this.#complete = true
    this.#onGone = undefined
    if (this.#leave === undefined) return
    this.#request.signal.removeEventListener('abort', this.#leave)
    this.#leave = undefined
  }
}

/** The connection is the runtime's business. */
function withoutHops(headers: ReplyHeaders): ReplyHeaders {
  if (headers.connection === undefined) return headers
  const { connection: _, ...others } = headers
  return others
}

class FetchStream implements ReplyStream {
  readonly readable: ReadableStream<Uint8Array>
  readonly #encoder = new TextEncoder()
  readonly #maxBufferedBytes: number
  readonly #budget: Budget
  #hold: Hold | undefined
  readonly #told: { ended(): void; gone(): void }
  #controller!: ReadableStreamDefaultController<Uint8Array>
  #room: Gate | undefined
  #closed = false

  constructor(maxBufferedBytes: number, budget: Budget, told: { ended(): void; gone(): void }) {
    this.#maxBufferedBytes = maxBufferedBytes
    this.#budget = budget
    this.#told = told
    this.readable = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => this.#makeRoom(),
        cancel: () => this.#lose(),
      },
      { highWaterMark: 16 * 1024, size: (chunk) => chunk.byteLength },
    )
  }

  write(text: Text): MaybePromise<void> {
    if (this.#closed) return
    this.#controller.enqueue(typeof text === 'string' ? this.#encoder.encode(text) : text.toBytes())
    const room = this.#controller.desiredSize ?? 0
    if (room > 0) return
    this.#hold ??= this.#budget.charge('unsent', 0)
    // A client that does not read must not fill the memory; its events wait in the log.
    if (-room > this.#maxBufferedBytes || !this.#hold.resize(-room)) {
      this.#controller.error(new Error('The client does not read'))
      this.#lose()
      return
    }
    this.#room ??= gate()
    return this.#room.passed
  }

  end(): void {
    if (this.#closed) return
    this.#closed = true
    this.#controller.close()
    this.#makeRoom()
    this.#told.ended()
  }

  #lose(): void {
    if (this.#closed) return
    this.#closed = true
    this.#makeRoom()
    this.#told.gone()
  }

  #makeRoom(): void {
    this.#hold?.release()
    this.#hold = undefined
    this.#room?.open()
    this.#room = undefined
  }
}
