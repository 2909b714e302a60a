import { isDeepStrictEqual } from 'node:util'
import { data } from './print.ts'

let checks = 0

/** Ends the tour with an error if a printed fact is not true. */
export function check(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) {
    throw new Error(`${what}: expected ${show(expected)}, got ${show(actual)}`)
  }
  checks++
}

export const checksDone = (): number => checks

const show = (value: unknown): string => (value === undefined ? 'nothing' : data(value))
