import type { DiagnosisStep } from '@tenon/host/diagnosis'
import { junitXml } from '@tenon/replay'
import { CommandFailure, ExitCode } from '../exit.ts'
import type { Explained } from '../explain.ts'

/** Checks before there is a connection. */
const onTheWay: ReadonlySet<string> = new Set([
  'command',
  'spawn',
  'url',
  'dns',
  'tcp',
  'tls',
  'http',
  'well-known',
  'auth',
  'era',
])

/** The failure of a server that is not in order; its exit code says whether there is a way to it. */
export function failureOfChecks(
  steps: readonly DiagnosisStep[],
  label: string,
  refusal: Explained | undefined,
): CommandFailure | undefined {
  const failed = steps.filter(({ status }) => status === 'failed')
  const first = failed.find(({ name }) => onTheWay.has(name)) ?? failed[0]
  if (first === undefined) return undefined
  const names = failed.map(({ title }) => title).join(', ')
  return new CommandFailure(codeOf(first, refusal), 'unhealthy', `${label} is not in order: ${names}`, first.hint)
}

function codeOf({ name }: DiagnosisStep, refusal: Explained | undefined): ExitCode {
  if (name === 'auth') return ExitCode.Unauthorized
  if (name === 'era' && refusal) return refusal.exitCode
  return onTheWay.has(name) ? ExitCode.Unreachable : ExitCode.Different
}

/** The checks as JUnit XML. */
export function checksAsJunit(steps: readonly DiagnosisStep[], label: string): string {
  const count = (wanted: 'passed' | 'failed' | 'skipped'): number =>
    steps.filter(({ status }) => statuses[status] === wanted).length
  return junitXml([
    {
      file: 'tenon doctor',
      title: `tenon doctor ${label}`,
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
      durationMs: steps.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0),
      calls: steps.map(({ title, status, detail, hint, durationMs = 0 }) => ({
        name: title,
        server: label,
        revision: undefined,
        status: statuses[status],
        durationMs,
        failures: status === 'failed' ? [{ path: '', message: withHint(detail, hint) }] : [],
        warnings: status === 'failed' ? [] : [withHint(detail, hint)],
      })),
    },
  ])
}

const statuses = { ok: 'passed', warning: 'passed', failed: 'failed', skipped: 'skipped' } as const

const withHint = (detail: string, hint: string | undefined): string =>
  hint === undefined ? detail : `${detail}\n${hint}`
