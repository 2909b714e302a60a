import { type Captured, readCaptures } from './captures.ts'
import { toUnits } from './characters.ts'
import { type CaptureStep, type LiteralStep, NONE, type Step } from './program.ts'
import type { TemplateMatch } from './types.ts'

/*
 * `match` is the reverse of `expand`, over the whole URI, case-sensitive.
 *
 * Characters. A percent-encoded character is one character. If it is reserved it never equals its raw form: `%2F` is
 * data and `/` is structure. Any other character equals its encoded form. Values come out decoded, so they may contain
 * `/` or be `..`: code that builds a path from one has to check it. A malformed encoding anywhere means no match.
 *
 *   {x}         one or more characters, none of them a raw `/`, `?`, `#` or `&`
 *   {+x}        one or more characters of any kind
 *   {x,y}       both, with a raw comma between; there, and in every list of variables, values hold no raw separator
 *   {/x} {.x}   optional: the lead character, then the characters of {x}, which may be none
 *   {#x}        optional: `#`, then characters of any kind
 *   {/x,y}      optional: filled from the left, so `/1` sets x
 *   {;x,y}      optional: parameters in any order, up to a raw `/`, `?`, `#` or `&`
 *   {?x,y}      optional: parameters in any order, up to a raw `#`; {&x,y} likewise, after a literal query
 *   {x*}        the same as without `*`, cut at the separator of the operator into a list
 *   {x:3}       at most three characters
 *
 * Parameters that the template does not name are ignored. Of a repeated one the first counts, unless it is `x*`: then
 * all do. One without `=` is empty. `+` is a plus. An optional part that is missing leaves its variables out.
 *
 * More than one way to match: from left to right, an optional part is there rather than missing, and each part is as
 * short as the rest of the template allows; a prefix `{x:3}` is as long as it allows. A variable used twice has to have
 * the same value twice (or one that starts with the prefix), checked on the match so chosen.
 */

/** Longer URIs match nothing. */
export const MAX_URI_LENGTH = 65_536

/** Counts the work done, so that tests can hold it to a bound. */
export interface StepCounter {
  count: number
}

/** Matches a URI against a compiled template in time proportional to the length of one times the length of the other. */
export function matchUri(steps: readonly Step[], uri: string, counter?: StepCounter): TemplateMatch | undefined {
  if (uri.length > MAX_URI_LENGTH) return undefined
  return matchUnbounded(steps, uri, counter)
}

/** `matchUri` without the bound on the length of the URI. */
export function matchUnbounded(
  steps: readonly Step[],
  uri: string,
  counter: StepCounter = { count: 0 },
): TemplateMatch | undefined {
  const units = toUnits(uri)
  if (!units) return undefined
  const first = steps[0]
  if (first?.kind === 'literal' && !literalAt(first, units, 0, counter)) return undefined
  const rows = reachability(steps, units, counter)
  return rows[0]![0] === 1 ? readCaptures(units, walk(steps, units, rows, counter)) : undefined
}

/**
 * For each step and position: can this step and those after it match from there to the end? Working backwards derives
 * every row from that of the step after it, so nothing is ever tried twice.
 */
function reachability(steps: readonly Step[], units: Int32Array, counter: StepCounter): Uint8Array[] {
  const rows: Uint8Array[] = new Array(steps.length + 1)
  const end = new Uint8Array(units.length + 1)
  end[units.length] = 1
  rows[steps.length] = end
  for (let index = steps.length - 1; index >= 0; index--) {
    const step = steps[index]!
    const next = rows[index + 1]!
    rows[index] =
      step.kind === 'literal'
        ? literalRow(step, units, next, counter)
        : captureRow(step, units, next, step.skipTo === NONE ? undefined : rows[step.skipTo], counter)
  }
  return rows
}

function literalRow(step: LiteralStep, units: Int32Array, next: Uint8Array, counter: StepCounter): Uint8Array {
  const row = new Uint8Array(units.length + 1)
  for (let at = units.length - step.units.length; at >= 0; at--) {
    counter.count++
    if (next[at + step.units.length] === 1 && literalAt(step, units, at, counter)) row[at] = 1
  }
  return row
}

function literalAt(step: LiteralStep, units: Int32Array, at: number, counter: StepCounter): boolean {
  for (let offset = 0; offset < step.units.length; offset++) {
    counter.count++
    if (units[at + offset] !== step.units[offset]) return false
  }
  return true
}

/** A capture takes at least one character, its lead or one of its own, so it can end from `at + 1` on. */
function captureRow(
  step: CaptureStep,
  units: Int32Array,
  next: Uint8Array,
  skipped: Uint8Array | undefined,
  counter: StepCounter,
): Uint8Array {
  const row = new Uint8Array(units.length + 1)
  row[units.length] = skipped?.[units.length] ?? 0
  let nearestEnd = next[units.length] === 1 ? units.length : Number.POSITIVE_INFINITY
  let runEndAfter = units.length
  for (let at = units.length - 1; at >= 0; at--) {
    counter.count++
    const runEnd = step.stops.has(units[at]!) ? at : runEndAfter
    const lastEnd =
      step.lead === NONE ? Math.min(runEnd, at + step.maxLength) : Math.min(runEndAfter, at + 1 + step.maxLength)
    const canStart = step.lead === NONE || units[at] === step.lead
    row[at] = (canStart && nearestEnd <= lastEnd) || skipped?.[at] === 1 ? 1 : 0
    if (next[at] === 1) nearestEnd = at
    runEndAfter = runEnd
  }
  return row
}

/** Goes forward through positions that lead to the end, and chooses between several. */
function walk(
  steps: readonly Step[],
  units: Int32Array,
  rows: readonly Uint8Array[],
  counter: StepCounter,
): Captured[] {
  const captured: Captured[] = []
  let at = 0
  for (let index = 0; index < steps.length; ) {
    const step = steps[index]!
    if (step.kind === 'literal') {
      at += step.units.length
      index++
      continue
    }
    const end = chooseEnd(step, units, at, rows[index + 1]!, counter)
    if (end === NONE) {
      index = step.skipTo
      continue
    }
    captured.push({ capture: step.capture, start: step.lead === NONE ? at : at + 1, end })
    at = end
    index++
  }
  return captured
}

function chooseEnd(step: CaptureStep, units: Int32Array, at: number, next: Uint8Array, counter: StepCounter): number {
  if (at >= units.length || (step.lead !== NONE && units[at] !== step.lead)) return NONE
  const isPrefix = step.maxLength !== Number.POSITIVE_INFINITY
  const start = step.lead === NONE ? at : at + 1
  let chosen = NONE
  for (let end = start; end <= units.length && end - start <= step.maxLength; end++) {
    counter.count++
    if (end > at && next[end] === 1) {
      chosen = end
      if (!isPrefix) break
    }
    if (end < units.length && step.stops.has(units[end]!)) break
  }
  return chosen
}
