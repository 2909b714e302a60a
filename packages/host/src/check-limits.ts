import { HostError } from './host-error.ts'

/** The longest delay that `setTimeout` takes; a longer one would fire at once. */
export const longestTimerMs: number = 2 ** 31 - 1

/** Refuses numbers that are no bound: nothing is larger than NaN, and a negative number of tokens would be a gift. */
export function checkLimits(options: object, what: string): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || (typeof value === 'number' && value >= 0)) continue
    throw new HostError('invalid_argument', `${what}.${name}: expected a number from 0, got ${shown(value)}`)
  }
}

const shown = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : String(value))
