import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Captured, readCaptures } from './captures.ts'
import { toUnits } from './characters.ts'
import { matchUnbounded } from './match.ts'
import { parseParts } from './parse.ts'
import { type CaptureStep, compile, NONE, type Step } from './program.ts'

/** Tries everything in the documented order and returns the first success: exponential, and plainly right. */
function searchAll(steps: readonly Step[], units: Int32Array, index: number, at: number): Captured[] | undefined {
  const step = steps[index]
  if (!step) return at === units.length ? [] : undefined
  if (step.kind === 'literal') {
    const fits = step.units.every((unit, offset) => units[at + offset] === unit)
    return fits ? searchAll(steps, units, index + 1, at + step.units.length) : undefined
  }
  for (const { start, end } of waysToTake(step, units, at)) {
    const rest = searchAll(steps, units, index + 1, end)
    if (rest) return [{ capture: step.capture, start, end }, ...rest]
  }
  return step.skipTo === NONE ? undefined : searchAll(steps, units, step.skipTo, at)
}

function waysToTake(step: CaptureStep, units: Int32Array, at: number): { start: number; end: number }[] {
  const hasLead = step.lead !== NONE
  if (hasLead && units[at] !== step.lead) return []
  const start = hasLead ? at + 1 : at
  const ways: { start: number; end: number }[] = []
  for (let end = start; end <= units.length && end - start <= step.maxLength; end++) {
    if (units.subarray(start, end).some((unit) => step.stops.has(unit))) break
    if (hasLead || end > start) ways.push({ start, end })
  }
  return Number.isFinite(step.maxLength) ? ways.reverse() : ways
}

const expression = fc
  .tuple(
    fc.constantFrom('', '+', '#', '.', '/', ';', '?', '&'),
    fc.array(fc.constantFrom('a', 'b', 'c*', 'd:2', 'e*', 'f:1'), { minLength: 1, maxLength: 3 }),
  )
  .map(([operator, names]) => `{${operator}${names.join(',')}}`)
const template = fc.array(fc.oneof(expression, fc.constantFrom('x', '/', '.', ',', '?')), { maxLength: 5 })
const uri = fc.string({ unit: fc.constantFrom(...'xy/.,;?&#=a', '%2F'), maxLength: 12 })

test('property: match finds what an exhaustive search in the documented order finds first', () => {
  let matches = 0
  fc.assert(
    fc.property(template, uri, (pieces, uri) => {
      const steps = compile(parseParts(pieces.join('')))
      const units = toUnits(uri)!
      const captured = searchAll(steps, units, 0, 0)
      if (captured) matches++
      expect(matchUnbounded(steps, uri)).toEqual(captured && readCaptures(units, captured))
    }),
    { numRuns: 5000 },
  )
  expect(matches).toBeGreaterThan(100)
})
