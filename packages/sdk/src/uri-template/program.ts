import { toUnits } from './characters.ts'
import type { Expression, Operator, TemplatePart, VariableSpec } from './types.ts'

/** How the characters that a step took become values. */
export type Capture =
  | { readonly kind: 'text'; readonly spec: VariableSpec }
  | { readonly kind: 'list'; readonly spec: VariableSpec; readonly separator: number }
  | { readonly kind: 'parameters'; readonly specs: readonly VariableSpec[]; readonly separator: number }

export interface LiteralStep {
  readonly kind: 'literal'
  readonly units: Int32Array
}

/** An optional lead character, then a run of at most `maxLength` characters of which none is in `stops`. */
export interface CaptureStep {
  readonly kind: 'capture'
  /** The unit that has to come first, or `NONE`. */
  readonly lead: number
  readonly stops: ReadonlySet<number>
  readonly maxLength: number
  /** The next step if this one takes nothing at all, or `NONE` if it must take something. */
  readonly skipTo: number
  readonly capture: Capture
}

export type Step = LiteralStep | CaptureStep

export const NONE = -1

const SEGMENT_STOPS = '/?#&'
const QUERY_STOPS = '#'

const unitOf = (character: string): number => character.codePointAt(0) ?? NONE
const stopSet = (characters: string): ReadonlySet<number> => new Set(Array.from(characters, unitOf))

/** Turns a parsed template into the steps of the matcher: one per literal, variable and group of parameters. */
export function compile(parts: readonly TemplatePart[]): Step[] {
  const steps: Step[] = []
  for (const part of mergeParameters(parts)) {
    if (typeof part === 'string') steps.push({ kind: 'literal', units: toUnits(part)! })
    else if (part.operator.named) steps.push(parametersStep(part, steps.length))
    else steps.push(...variableSteps(part, steps.length))
  }
  return steps
}

/** `{?a}{&b}` and `{;a}{;b}` are one group, or their parameters would not be free to come in any order. */
function mergeParameters(parts: readonly TemplatePart[]): TemplatePart[] {
  const merged: TemplatePart[] = []
  for (const part of parts) {
    const before = merged.at(-1)
    if (typeof part === 'object' && typeof before === 'object' && continues(before.operator, part.operator)) {
      merged[merged.length - 1] = { ...before, variables: [...before.variables, ...part.variables] }
    } else {
      merged.push(part)
    }
  }
  return merged
}

const continues = (before: Operator, next: Operator): boolean =>
  before.named && next.named && before.separator === next.first

function parametersStep({ operator, variables }: Expression, index: number): CaptureStep {
  return {
    kind: 'capture',
    lead: unitOf(operator.first),
    stops: stopSet(operator.separator === '&' ? QUERY_STOPS : SEGMENT_STOPS),
    maxLength: Number.POSITIVE_INFINITY,
    skipTo: index + 1,
    capture: { kind: 'parameters', specs: variables, separator: unitOf(operator.separator) },
  }
}

function variableSteps({ operator, variables }: Expression, index: number): CaptureStep[] {
  const isOptional = operator.first !== ''
  return variables.map((spec, position) => ({
    kind: 'capture',
    lead: unitOf(position === 0 ? operator.first : operator.separator),
    stops: stopsOf(operator, spec, variables.length > 1),
    maxLength: spec.maxLength,
    skipTo: isOptional ? index + variables.length : NONE,
    capture: spec.explode ? { kind: 'list', spec, separator: unitOf(operator.separator) } : { kind: 'text', spec },
  }))
}

function stopsOf(operator: Operator, spec: VariableSpec, hasSiblings: boolean): ReadonlySet<number> {
  const stops = operator.reserved ? '' : SEGMENT_STOPS
  if (spec.explode) return stopSet(stops.replace(operator.separator, ''))
  return stopSet(hasSiblings ? stops + operator.separator : stops)
}
