import { isMcpError } from '../../errors.ts'

/** For so long a server that hung is not asked again: each request would wait for it anew. */
const restMs = 10_000

/** Remembers who hung, for a short while. The keys are sessions at parts, or parts: no client decides for another's session. */
export class HungParts {
  readonly #hung = new WeakMap<object, { readonly error: unknown; readonly until: number }>()

  /** Asks, unless the last answer did not come in time: then it fails at once, with the same error. */
  async ask<T>(key: object, question: () => Promise<T>): Promise<T> {
    const known = this.#hung.get(key)
    if (known !== undefined && performance.now() < known.until) throw known.error
    try {
      const answer = await question()
      this.#hung.delete(key)
      return answer
    } catch (error) {
      if (isMcpError(error) && error.code === 'timeout') {
        this.#hung.set(key, { error, until: performance.now() + restMs })
      }
      throw error
    }
  }
}
