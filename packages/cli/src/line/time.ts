import { usage } from '../exit.ts'

const units = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
])

/** Milliseconds from `500ms`, `30s`, `5m`, `1h`, or plain seconds; `none` is no limit. */
export function parseTime(option: string, text: string): number {
  if (text === 'none') return Infinity
  const [, digits, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? []
  const time = Number(digits) * units.get(unit)!
  if (time > 0) return time
  throw usage(`--${option}: expected a time such as 500ms, 30s or 5m, got ${JSON.stringify(text)}`)
}
