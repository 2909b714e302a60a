import { HostError } from '../host-error.ts'
import type { EvalResult, EvalsReport } from './types.ts'

/** How often a case passed with a model. */
export interface EvalRate {
  name: string
  model: string
  passed: number
  runs: number
}

/** A case in two evaluations. */
export interface EvalChange {
  name: string
  model: string
  change: 'better' | 'worse' | 'same' | 'new' | 'gone'
  before?: EvalRate
  after?: EvalRate
}

const keyOf = ({ name, model }: { name: string; model: string }): string => JSON.stringify([name, model])

/** The rates of a report; skipped cases have none. */
export const ratesOf = (cases: readonly EvalResult[]): EvalRate[] =>
  cases
    .filter(({ runs }) => runs.length > 0)
    .map(({ name, model, passed, runs }) => ({ name, model, passed, runs: runs.length }))

/** Compares the pass rates of two evaluations. */
export function compareRates(before: readonly EvalRate[], after: readonly EvalRate[]): EvalChange[] {
  const earlier = new Map(before.map((rate) => [keyOf(rate), rate]))
  const later = new Set(after.map(keyOf))
  const changes = after.map((rate): EvalChange => {
    const { name, model } = rate
    const old = earlier.get(keyOf(rate))
    if (old === undefined) return { name, model, change: 'new', after: rate }
    // Products, because quotients of different numbers of runs are not exact.
    const difference = rate.passed * old.runs - old.passed * rate.runs
    return {
      name,
      model,
      change: difference > 0 ? 'better' : difference < 0 ? 'worse' : 'same',
      before: old,
      after: rate,
    }
  })
  const gone = before
    .filter((rate) => !later.has(keyOf(rate)))
    .map((rate): EvalChange => ({ name: rate.name, model: rate.model, change: 'gone', before: rate }))
  return [...changes, ...gone]
}

/** The rates of `before`, with those of `after` in their place where there are any. */
export function mergeRates(before: readonly EvalRate[], after: readonly EvalRate[]): EvalRate[] {
  return [...new Map([...before, ...after].map((rate) => [keyOf(rate), rate])).values()]
}

/** The rates in a report that was written as JSON, alone or as the `result` of a command. */
export function readRates(text: string, path: string): EvalRate[] {
  const report = reportIn(text)
  const cases: unknown = report?.cases
  if (report?.tenonEvalsReport !== 1 || !Array.isArray(cases)) throw unusable(path)
  return cases.flatMap((one) => rateIn(one, path) ?? [])
}

const unusable = (path: string): HostError =>
  new HostError('invalid_argument', `${path}: expected a report of an evaluation, as JSON`)

function reportIn(text: string): Partial<EvalsReport> | undefined {
  try {
    const value = JSON.parse(text)
    return value?.result?.tenonEvalsReport === undefined ? value : value.result
  } catch {
    return undefined
  }
}

function rateIn(value: unknown, path: string): EvalRate | undefined {
  const { name, model, passed, runs } = (value ?? {}) as { [name: string]: unknown }
  const count = Array.isArray(runs) ? runs.length : runs
  const isCount = (number: unknown): number is number => Number.isSafeInteger(number) && (number as number) >= 0
  if (typeof name !== 'string' || typeof model !== 'string' || !isCount(passed) || !isCount(count) || passed > count) {
    throw unusable(path)
  }
  return count === 0 ? undefined : { name, model, passed, runs: count }
}
