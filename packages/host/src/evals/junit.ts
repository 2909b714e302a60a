import { junitXml } from '@tenon/replay'
import type { EvalFailure, EvalResult, EvalsReport } from './types.ts'

/** The results of an evaluation as JUnit XML: a test for each case and model. */
export function evalsJunit(reports: readonly EvalsReport[]): string {
  const suites = reports.map((report) => ({
    ...report,
    title: report.title,
    calls: report.cases.map((result) => ({
      name: result.name,
      server: result.model,
      revision: undefined,
      status: result.status,
      durationMs: result.durationMs,
      failures: result.status === 'failed' ? [rateOf(result), ...distinctFailures(result)] : [],
      warnings: result.status === 'passed' ? distinctFailures(result).map(({ message }) => message) : [],
    })),
  }))
  return junitXml(suites)
}

const rateOf = ({ passed, runs, needed }: EvalResult): EvalFailure => ({
  path: '',
  message: `${passed} of ${runs.length} runs passed, expected ${Math.round(needed * 100)} %`,
})

/** The failures of all runs; those that several have are one, with their number. */
export function distinctFailures({ runs }: EvalResult): (EvalFailure & { count: number })[] {
  const found = new Map<string, EvalFailure & { count: number }>()
  for (const failure of runs.flatMap(({ failures }) => failures)) {
    const key = `${failure.path}: ${failure.message}`
    const seen = found.get(key)
    if (seen) seen.count++
    else found.set(key, { ...failure, count: 1 })
  }
  return [...found.values()]
}
