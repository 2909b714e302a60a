import type { Terminal } from '../terminal/terminal.ts'
import { say, type TerminalText } from '../terminal/text.ts'
import type { LatencySummary } from './latencies.ts'
import type { LoadResult } from './run-load.ts'

const whole = (number: number): string => Math.round(number).toLocaleString('en-US')
const perSecond = (count: number, ms: number): string =>
  ms === 0 ? '0' : ((count * 1_000) / ms).toLocaleString('en-US', { maximumFractionDigits: 1 })

/** A measurement as data. */
export function loadJson(result: LoadResult, rate: number | undefined): { [member: string]: unknown } {
  const { succeeded, failed, missed, elapsedMs, latencies, service, errors } = result
  return {
    calls: succeeded + failed,
    succeeded,
    failed,
    ...(rate !== undefined && { missed }),
    elapsedMs: Math.round(elapsedMs),
    callsPerSecond: elapsedMs === 0 ? 0 : Number((((succeeded + failed) * 1_000) / elapsedMs).toFixed(1)),
    latencyMs: latencies.summary(),
    ...(rate !== undefined && { serviceMs: service.summary() }),
    errors: [...errors.values()].map(({ kind, message, count }) => ({ kind, message, count })),
  }
}

/** The line at the bottom of the terminal while calls are made. */
export function progressText({ succeeded, failed, latencies }: LoadResult, elapsedMs: number): TerminalText {
  const seconds = (elapsedMs / 1_000).toFixed(1)
  const speed = perSecond(succeeded + failed, elapsedMs)
  const p95 = latencies.percentile(0.95).toPrecision(3)
  return say`${seconds} s  ${whole(succeeded + failed)} calls  ${speed}/s  p95 ${p95} ms  ${whole(failed)} failed`
}

/** Prints a measurement. */
export function showLoad(result: LoadResult, rate: number | undefined, terminal: Terminal): void {
  const { bold, dim, red, yellow } = terminal.style
  const { succeeded, failed, missed, elapsedMs, latencies, service, errors } = result
  const row = (name: string, text: TerminalText | string): void => terminal.line(say`${bold(name.padEnd(8))} ${text}`)
  const calls = succeeded + failed
  row('calls', `${whole(calls)} in ${(elapsedMs / 1_000).toFixed(2)} s, ${perSecond(calls, elapsedMs)}/s`)
  row('failed', failed === 0 ? '0' : red(`${whole(failed)} (${((failed * 100) / calls).toFixed(1)} %)`))
  if (missed > 0) row('missed', yellow(`${whole(missed)}: due and not sent, because all calls at once were under way`))
  rowsOf('latency', latencies.summary())
  if (rate !== undefined) rowsOf('service', service.summary())
  for (const { kind, message, count } of [...errors.values()].sort((one, other) => other.count - one.count)) {
    row('error', say`${whole(count)} × ${red(kind)} ${dim(message.split('\n')[0]!)}`)
  }

  function rowsOf(name: string, { min, mean, max, ...percentiles }: LatencySummary): void {
    row(name, `min ${min}  mean ${mean}  max ${max} ms`)
    const shares = Object.entries(percentiles).map(([share, ms]) => `${share} ${ms}`)
    row('', `${shares.join('  ')} ms`)
  }
}
