/** The settings of a running program, which a changed config file replaces. */
export interface LiveSettings<T> {
  readonly current: T
  onChange(listener: (current: T, previous: T) => void): void
}

/** Settings that never change, for servers that are made by code. A number that is no bound throws a `TypeError`. */
export function fixedSettings<T extends object>(current: T): LiveSettings<T> {
  for (const [name, value] of Object.entries(current)) {
    // Nothing is larger than NaN: it would be a limit without an end.
    if (typeof value === 'number' && !(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) {
      throw new TypeError(`${name}: expected a number from 0 to ${Number.MAX_SAFE_INTEGER}, got ${value}`)
    }
  }
  return { current, onChange: () => {} }
}

export class ReplaceableSettings<T> implements LiveSettings<T> {
  current: T
  readonly #listeners: ((current: T, previous: T) => void)[] = []

  constructor(current: T) {
    this.current = current
  }

  onChange(listener: (current: T, previous: T) => void): void {
    this.#listeners.push(listener)
  }

  /** Settings that a listener refuses by an exception are taken back, and those before it hear of that. */
  replace(next: T): void {
    const previous = this.current
    this.current = next
    for (const [index, listener] of this.#listeners.entries()) {
      try {
        listener(next, previous)
      } catch (error) {
        this.current = previous
        for (const told of this.#listeners.slice(0, index)) told(previous, next)
        throw error
      }
    }
  }
}
