import type { Provider } from './providers.ts'
import { type LintRule, lintRules } from './rule-list.ts'
import { type LintFinding, type LintSubject, type Severity, severities } from './types.ts'

/** More than a person reads; a hostile server could make any number. */
const maxFindings = 2_000

interface Found {
  subject: LintSubject
  message: string
  fix: string
  providers?: readonly Provider[]
  difference?: readonly string[]
}

/** Collects findings of the rules that are asked for, and counts those that are too many to keep. */
export class Collector {
  readonly providers: readonly Provider[]
  readonly #ignore: ReadonlySet<LintRule>
  readonly #findings: LintFinding[] = []
  readonly #counts: { [Level in Severity]: number } = { error: 0, warning: 0, note: 0 }

  constructor(providers: readonly Provider[], ignore: readonly LintRule[]) {
    this.providers = providers
    this.#ignore = new Set(ignore)
  }

  add(rule: LintRule, found: Found): void {
    if (this.#ignore.has(rule)) return
    const { severity } = lintRules[rule]
    this.#counts[severity]++
    // Errors are never left out for notes that came before them.
    if (this.#findings.length < maxFindings || severity === 'error') this.#findings.push({ rule, severity, ...found })
  }

  /** Adds a finding for those of the providers that count here; none if none does. */
  addFor(rule: LintRule, providers: readonly Provider[], found: Found): void {
    const concerned = providers.filter((name) => this.providers.includes(name))
    if (concerned.length > 0) this.add(rule, { ...found, providers: concerned })
  }

  get result(): { findings: LintFinding[]; counts: { [Level in Severity]: number }; omitted: number } {
    const sorted = severities.flatMap((level) => this.#findings.filter(({ severity }) => severity === level))
    const findings = sorted.slice(0, maxFindings)
    const total = severities.reduce((sum, level) => sum + this.#counts[level], 0)
    return { findings, counts: this.#counts, omitted: total - findings.length }
  }
}

/** The place of a member in a definition, as a step of a JSON pointer. */
export const step = (name: string | number): string => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
