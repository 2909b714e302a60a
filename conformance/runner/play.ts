import type { Carrier } from './carrier.ts'
import { Placeholders } from './placeholders.ts'

const patienceMs = 5_000

/** Sends a transcript's lines on a wire; the answers have names in place of generated values. */
export class Player {
  readonly #carrier: Carrier
  readonly #placeholders = new Placeholders()

  constructor(carrier: Carrier) {
    this.#carrier = carrier
  }

  say(text: string): void {
    this.#carrier.send(this.#placeholders.reveal(text))
  }

  async hear(): Promise<unknown> {
    return this.#placeholders.hide(await this.#next())
  }

  /** Resolves to the server's remaining payloads when no more are expected. */
  async leftovers(): Promise<unknown[]> {
    await quiet()
    // Answers come in order: payloads in flight arrive before the answer to a ping, which every server gives.
    this.#carrier.send('{"jsonrpc":"2.0","id":"the end","method":"ping"}')
    const rest: unknown[] = []
    for (;;) {
      const payload = await this.#next()
      if ((payload as { id?: unknown }).id === 'the end') break
      rest.push(payload)
    }
    await quiet()
    return [...rest, ...this.#carrier.waiting].map((payload) => this.#placeholders.hide(payload))
  }

  async #next(): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined
    const tooLong = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`the server said nothing for ${patienceMs} ms`)), patienceMs)
    })
    try {
      return await Promise.race([this.#carrier.next(), tooLong])
    } finally {
      clearTimeout(timer)
    }
  }
}

async function quiet(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}
