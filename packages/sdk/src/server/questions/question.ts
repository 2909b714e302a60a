/** The questions of a call whose answers nobody waits for yet. */
export type Unawaited = Set<Question<unknown>>

/**
 * The promise of an answer. It knows whether somebody waits for it: a forgotten `await` leaves a handler that goes on
 * without the answer, and an error that nobody handles, which would end the process.
 */
export class Question<T> extends Promise<T> {
  /** The function of the context that asked. */
  readonly name: string
  readonly #unawaited: Unawaited

  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  constructor(name: string, answer: Promise<T>, unawaited: Unawaited) {
    super((resolve) => resolve(answer))
    this.name = name
    this.#unawaited = unawaited
    super.then(undefined, () => {})
    unawaited.add(this)
  }

  // biome-ignore lint/suspicious/noThenProperty: it overrides that of a promise
  override then<A = T, B = never>(
    fulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#unawaited.delete(this)
    return super.then(fulfilled, rejected)
  }
}
