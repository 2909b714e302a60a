// Holds results against the differences that are known.
import { differences } from '../differences.mjs'

/** `fine`, `known` with the id of the difference, or `new`. */
export function judge(result, known = differences) {
  if (result.outcome === 'pass') return { ...result, verdict: 'fine' }
  const difference = known.find((one) => isThere(one, result) && one.says.test(result.message))
  return difference ? { ...result, verdict: 'known', difference: difference.id } : { ...result, verdict: 'new' }
}

/** Places where a difference is known, and did not occur. */
export function staleOnes(results, known = differences) {
  const passed = results.filter(({ outcome }) => outcome === 'pass')
  return known
    .filter(({ sometimes }) => !sometimes)
    .flatMap((one) =>
      passed.filter((result) => isThere(one, result)).map((result) => ({ id: one.id, ...placeOf(result) })),
    )
}

/** True if a task is known to have no end in this place, so that there is no use in waiting long for it. */
export const isExpectedToHang = (place, known = differences) =>
  known.some((one) => !one.sometimes && one.says.test(noEnd(0)) && isThere(one, place))

/** What is said of a task that its time limit ended. */
export const noEnd = (limitMs) => `no end after ${limitMs / 1000} s`

export const isThere = ({ where }, result) => where.some((place) => isPlace(place, result))

const isPlace = (place, result) =>
  Object.entries(place).every(([part, allowed]) => [allowed].flat().includes(result[part]))

const placeOf = ({ client, server, transport, task }) => ({ client, server, transport, task })
