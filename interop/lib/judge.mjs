// Compares results with the known differences.
import { differences } from '../differences.mjs'

/** `fine`, `known` with the id of the difference, or `new`. */
export function judge(result, known = differences) {
  if (result.outcome === 'pass') return { ...result, verdict: 'fine' }
  const difference = known.find((one) => isThere(one, result) && one.says.test(result.message))
  return difference ? { ...result, verdict: 'known', difference: difference.id } : { ...result, verdict: 'new' }
}

/** Places with a known difference that did not occur. */
export function staleOnes(results, known = differences) {
  const passed = results.filter(({ outcome }) => outcome === 'pass')
  return known
    .filter(({ sometimes }) => !sometimes)
    .flatMap((one) =>
      passed.filter((result) => isThere(one, result)).map((result) => ({ id: one.id, ...placeOf(result) })),
    )
}

/** True if a task is known to hang in this place, so that a long wait is useless. */
export const isExpectedToHang = (place, known = differences) =>
  known.some((one) => !one.sometimes && one.says.test(noEnd(0)) && isThere(one, place))

/** The message of a task that reached its time limit. */
export const noEnd = (limitMs) => `no end after ${limitMs / 1000} s`

export const isThere = ({ where }, result) => where.some((place) => isPlace(place, result))

const isPlace = (place, result) =>
  Object.entries(place).every(([part, allowed]) => [allowed].flat().includes(result[part]))

const placeOf = ({ client, server, transport, task }) => ({ client, server, transport, task })
