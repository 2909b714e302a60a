import { McpError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { describe, isObject } from '../../jsonrpc/classify.ts'

/** Keeps the steps that are done. */
export type KeepSteps = (done: [string, unknown?][]) => MaybePromise<void>

/** The steps of one request that run once, however often its handler runs. */
export class OnceSteps {
  readonly #done: Map<string, unknown>
  readonly #used = new Set<string>()
  readonly #running = new Set<Promise<unknown>>()
  readonly #keep: KeepSteps | undefined

  /** `keep` is called whenever a step is done, and awaited. */
  constructor(done: Iterable<readonly [string, unknown?]> = [], keep?: KeepSteps) {
    this.#keep = keep
    this.#done = new Map(Array.from(done, ([key, value]) => [key, value]))
  }

  /** The done steps, as they travel: a step without a result has no second entry. */
  get done(): [string, unknown?][] {
    return Array.from(this.#done, ([key, value]) => (value === undefined ? [key] : [key, value]))
  }

  async once<T>(key: string, run: () => MaybePromise<T>): Promise<T> {
    if (typeof key !== 'string') {
      throw new McpError('invalid_argument', `ctx.once: expected a key, got ${describe(key)}`)
    }
    if (this.#used.has(key)) {
      throw new McpError('invalid_argument', `ctx.once: the key ${JSON.stringify(key)} is used twice in one request`)
    }
    this.#used.add(key)
    if (this.#done.has(key)) return structuredClone(this.#done.get(key)) as T
    const running = Promise.resolve().then(run)
    this.#running.add(running)
    try {
      const value = await running
      checkJson(value, `ctx.once(${JSON.stringify(key)})`)
      this.#done.set(key, structuredClone(value))
      if (this.#keep !== undefined) await this.#keep(this.done)
      return value
    } finally {
      this.#running.delete(running)
    }
  }

  /** The handler runs once more: its steps may be used again. */
  again(): void {
    this.#used.clear()
  }

  /** Resolves when no step is running: a step that has begun must not be forgotten. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }
}

/** A result that comes back as something else would make the second run differ from the first. */
function checkJson(value: unknown, what: string): void {
  const problem = value === undefined ? undefined : notJson(value, '')
  if (problem !== undefined) throw new McpError('invalid_argument', `${what}: expected a JSON result, got ${problem}`)
}

function notJson(value: unknown, path: string): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${value}${at(path)}`
  if (Array.isArray(value)) return firstProblem(value.entries(), path)
  if (isObject(value) && isPlain(value)) {
    return firstProblem(
      Object.entries(value).filter(([, member]) => member !== undefined),
      path,
    )
  }
  return `${typeof value === 'object' ? (value as object).constructor?.name : typeof value}${at(path)}`
}

function firstProblem(members: Iterable<[string | number, unknown]>, path: string): string | undefined {
  for (const [name, member] of members) {
    const problem = notJson(member, `${path}.${name}`)
    if (problem !== undefined) return problem
  }
  return undefined
}

const at = (path: string): string => (path === '' ? '' : ` at ${path.slice(1)}`)

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
