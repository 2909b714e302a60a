import { isDeepStrictEqual } from 'node:util'
import { data } from './print.ts'

let checks = 0

/** The tour promises what it prints: anything else ends it with an error. */
export function check(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) {
    throw new Error(`${what}: expected ${show(expected)}, got ${show(actual)}`)
  }
  checks++
}

export const checksDone = (): number => checks

const show = (value: unknown): string => (value === undefined ? 'nothing' : data(value))
