import { unitsToText } from './characters.ts'
import type { Capture } from './program.ts'
import type { TemplateMatch, VariableSpec } from './types.ts'

/** The stretch of a URI that one step of a template took, without its lead character. */
export interface Captured {
  readonly capture: Capture
  readonly start: number
  readonly end: number
}

interface Found {
  readonly value: string | string[]
  /** The value may go on: it was seen only through a prefix like `{x:3}`. */
  readonly isPrefix: boolean
}

type FoundValues = Map<string, Found>

const EQUALS = 0x3d

/** Turns stretches of the URI into values; `undefined` if a variable would have two different ones. */
export function readCaptures(units: Int32Array, captured: readonly Captured[]): TemplateMatch | undefined {
  const found: FoundValues = new Map()
  for (const { capture, start, end } of captured) {
    if (!readCapture(units, capture, start, end, found)) return undefined
  }
  const entries = Array.from(found, ([name, { value }]) => [name, value] as const)
  return { __proto__: null, ...Object.fromEntries(entries) } as unknown as TemplateMatch
}

function readCapture(units: Int32Array, capture: Capture, start: number, end: number, found: FoundValues): boolean {
  switch (capture.kind) {
    case 'text':
      return record(found, capture.spec, unitsToText(units, start, end))
    case 'list':
      return record(found, capture.spec, splitTexts(units, start, end, capture.separator))
    case 'parameters':
      return readParameters(units, capture.specs, splitRanges(units, start, end, capture.separator), found)
  }
}

type Range = readonly [start: number, end: number]

function splitRanges(units: Int32Array, start: number, end: number, separator: number): Range[] {
  const ranges: Range[] = []
  let from = start
  for (let at = start; at <= end; at++) {
    if (at < end && units[at] !== separator) continue
    ranges.push([from, at])
    from = at + 1
  }
  return ranges
}

const splitTexts = (units: Int32Array, start: number, end: number, separator: number): string[] =>
  splitRanges(units, start, end, separator).map(([from, to]) => unitsToText(units, from, to))

function readParameters(
  units: Int32Array,
  specs: readonly VariableSpec[],
  ranges: readonly Range[],
  found: FoundValues,
): boolean {
  const parameters = groupParameters(units, ranges)
  return specs.every((spec) => {
    const values = parameters.get(decodeURIComponent(spec.name))
    if (!values) return true
    if (spec.explode) return record(found, spec, values)
    const value = values[0]!
    return lengthAtMost(value, spec.maxLength) && record(found, spec, value)
  })
}

function groupParameters(units: Int32Array, ranges: readonly Range[]): Map<string, string[]> {
  const parameters = new Map<string, string[]>()
  for (const [start, end] of ranges) {
    const equals = units.subarray(start, end).indexOf(EQUALS)
    const nameEnd = equals === -1 ? end : start + equals
    const name = unitsToText(units, start, nameEnd)
    const value = unitsToText(units, Math.min(nameEnd + 1, end), end)
    const values = parameters.get(name)
    if (values) values.push(value)
    else parameters.set(name, [value])
  }
  return parameters
}

function lengthAtMost(text: string, limit: number): boolean {
  // A character is one or two code units long, which settles all but the cases in between.
  return text.length <= limit || (text.length <= 2 * limit && Array.from(text).length <= limit)
}

/** Records a value; false if the variable has another one already. */
function record(found: FoundValues, spec: VariableSpec, value: string | string[]): boolean {
  const next: Found = { value, isPrefix: spec.maxLength !== Number.POSITIVE_INFINITY }
  const before = found.get(spec.name)
  const agreed = before ? reconcile(before, next) : next
  if (agreed) found.set(spec.name, agreed)
  return agreed !== undefined
}

function reconcile(a: Found, b: Found): Found | undefined {
  if (typeof a.value !== 'string' || typeof b.value !== 'string') return sameList(a.value, b.value) ? a : undefined
  const [shorter, longer] = a.value.length <= b.value.length ? [a, b] : [b, a]
  if (a.value === b.value) return a.isPrefix ? b : a
  const fits = shorter.isPrefix && (longer.value as string).startsWith(shorter.value as string)
  return fits ? longer : undefined
}

const sameList = (a: string | string[], b: string | string[]): boolean =>
  Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((member, index) => member === b[index])
