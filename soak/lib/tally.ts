import { isMcpError, isRpcError } from '@tenon/sdk/client'

/** The outcomes of the calls over one transport. */
export interface Count {
  started: number
  answered: number
  /** Calls with an error of the library, by code. */
  failed: { [code: string]: number }
}

/** The allowed errors when connections are cut, servers are killed and users cancel. */
const expected: ReadonlySet<string> = new Set(['closed', 'cancelled', 'timeout', 'http', 'session_expired'])
const maxProblems = 50

/** Counts outcomes, and records forbidden ones. */
export class Tally {
  readonly counts = new Map<string, Count>()
  readonly problems: string[] = []
  kills = 0
  cuts = 0
  connects = 0
  /** Calls that have not ended. */
  open = 0

  count(kind: string): Count {
    const known = this.counts.get(kind) ?? { started: 0, answered: 0, failed: {} }
    this.counts.set(kind, known)
    return known
  }

  problem(text: string): void {
    if (this.problems.length < maxProblems && !this.problems.includes(text)) this.problems.push(text)
  }

  /** Makes a call. It has to succeed, or fail with an allowed error. True if it was answered. */
  async call<T>(
    kind: string,
    what: string,
    run: () => Promise<T>,
    wrong: (value: T) => string | undefined,
  ): Promise<boolean> {
    const count = this.count(kind)
    count.started += 1
    this.open += 1
    try {
      const problem = wrong(await run())
      if (problem !== undefined) this.problem(`${kind} ${what}: ${problem}`)
      count.answered += 1
      return true
    } catch (error) {
      const code = this.#codeOf(error)
      if (code === undefined) this.problem(`${kind} ${what} failed with ${describe(error)}`)
      else count.failed[code] = (count.failed[code] ?? 0) + 1
      return false
    } finally {
      this.open -= 1
    }
  }

  #codeOf(error: unknown): string | undefined {
    return isMcpError(error) && expected.has(error.code) ? error.code : undefined
  }

  get totals(): { started: number; answered: number; failed: number } {
    const all = [...this.counts.values()]
    const sum = (of: (count: Count) => number): number => all.reduce((total, count) => total + of(count), 0)
    const failures = (count: Count): number => Object.values(count.failed).reduce((total, one) => total + one, 0)
    return { started: sum((one) => one.started), answered: sum((one) => one.answered), failed: sum(failures) }
  }
}

const describe = (error: unknown): string => {
  if (isMcpError(error) || isRpcError(error)) return `${error.name} ${error.code}: ${error.message}`
  return error instanceof Error ? `an untyped ${error.stack ?? error.message}` : String(error)
}
