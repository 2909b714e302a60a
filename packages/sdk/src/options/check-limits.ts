import { McpError, type McpErrorCode } from '../errors.ts'
import { longestTimerMs } from '../internal/timers.ts'

/**
 * Refuses numbers that are no bound. Nothing is larger than NaN, so a limit of NaN would be none; timers fire at once for a
 * negative time and for one that they cannot hold.
 */
export function checkLimit(name: string, value: number, what: string, code: McpErrorCode): void {
  const isTime = name.endsWith('Ms')
  if (value >= 0 && !(isTime && value > longestTimerMs)) return
  const expected = isTime ? `milliseconds from 0 to ${longestTimerMs}` : 'a number from 0'
  throw new McpError(code, `${what} ${name}: expected ${expected}, got ${value}`)
}

/** The same for every number among some options. */
export function checkLimits(options: object, what: string, code: McpErrorCode = 'invalid_argument'): void {
  for (const [name, value] of Object.entries(options)) {
    if (typeof value === 'number') checkLimit(name, value, what, code)
  }
}
