import { McpError } from '../../errors.ts'

/** Work that several callers share. It is aborted when the last of them leaves. */
export class SharedWork {
  readonly #stop = new AbortController()
  readonly #result: Promise<void>
  #waiting = 0

  constructor(work: (signal: AbortSignal) => Promise<void>, done: () => void) {
    this.#result = work(this.#stop.signal).finally(done)
    this.#result.catch(() => {})
  }

  /** True once the last caller left: it is being aborted, and is not to be joined. */
  get stopped(): boolean {
    return this.#stop.signal.aborted
  }

  /** Waits for the end; rejects early if the signal fires. */
  wait(signal: AbortSignal): Promise<void> {
    this.#waiting += 1
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        signal.removeEventListener('abort', give)
        this.#waiting -= 1
        if (this.#waiting === 0) this.#stop.abort()
      }
      const give = (): void => {
        leave()
        reject(new McpError('cancelled', 'Nobody waits for the authorization any more'))
      }
      signal.addEventListener('abort', give)
      if (signal.aborted) give()
      this.#result.then(resolve, reject).finally(() => !signal.aborted && leave())
    })
  }
}
