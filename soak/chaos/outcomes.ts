import { readFileSync } from 'node:fs'
import { isMcpError, isRpcError } from '@tenon/sdk/client'

const mayFail: ReadonlySet<string> = new Set(['closed', 'timeout', 'http', 'session_expired', 'negotiation'])
const reasons: ReadonlySet<unknown> = new Set(['unavailable', 'interrupted'])
const maxProblems = 40

/** The outcome of every operation, and the forbidden ones. */
export class Outcomes {
  readonly counts = new Map<string, Map<string, number>>()
  readonly problems: string[] = []
  /** Operations that have not ended. */
  readonly open = new Set<string>()

  problem(told: string): void {
    const text = told.replace(/\(id \w+\)|"id":"\w+",?/g, '')
    if (this.problems.length < maxProblems && !this.problems.includes(text)) this.problems.push(text)
  }

  /** Does something that succeeds or fails with a typed error; undefined if it failed. */
  async attempt<T>(what: string, run: () => Promise<T>): Promise<T | undefined> {
    const entry = `${what} (${this.#total(what) + 1})`
    this.open.add(entry)
    try {
      const value = await run()
      this.#count(what, 'answered')
      return value
    } catch (error) {
      const reason = reasonOf(error)
      if (reason === undefined) this.problem(`${what} failed with ${describe(error)}`)
      this.#count(what, reason ?? 'FAILED')
      return undefined
    } finally {
      this.open.delete(entry)
    }
  }

  #total(what: string): number {
    return [...(this.counts.get(what)?.values() ?? [])].reduce((sum, count) => sum + count, 0)
  }

  #count(what: string, outcome: string): void {
    const counts = this.counts.get(what) ?? new Map<string, number>()
    this.counts.set(what, counts)
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  }

  get table(): string {
    const lines = [...this.counts].sort().map(([what, counts]) => {
      const parts = [...counts].sort().map(([outcome, count]) => `${count} ${outcome}`)
      return `  ${what.padEnd(26)} ${parts.join(', ')}`
    })
    return lines.join('\n')
  }
}

/** The kind of a failure that trouble explains. */
export function reasonOf(error: unknown): string | undefined {
  if (isMcpError(error)) return mayFail.has(error.code) ? error.code : undefined
  if (!isRpcError(error)) return undefined
  const { reason } = (error.data ?? {}) as { reason?: unknown }
  return reasons.has(reason) ? String(reason) : undefined
}

const describe = (error: unknown): string =>
  isMcpError(error) || isRpcError(error)
    ? `${error.name} ${error.code}: ${error.message} ${JSON.stringify((error as { data?: unknown }).data ?? '')}`
    : `an untyped ${(error as Error)?.stack ?? String(error)}`

/** How often each effect took place, by `kind id`. */
export function readLedger(file: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line !== '') counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  return counts
}
