import type { GatewayItem } from '../model.ts'

/** `approve`: a person has to agree to each request. */
export type Effect = 'allow' | 'approve' | 'deny'

/** Patterns with `*`; one of several has to match, and all of the given members. */
export interface ItemMatch {
  readonly server?: readonly string[]
  readonly upstream?: readonly string[]
  readonly kind?: readonly GatewayItem['kind'][]
  /** The name of the tool or prompt, the URI or the URI template, as the upstream has it. */
  readonly name?: readonly string[]
}

export interface Rule {
  readonly name: string
  readonly effect: Effect
  readonly match: ItemMatch
  /** A condition in CEL. */
  readonly when?: string
}

/** The effect of a rule on a request: `unknown` if it depends on arguments that are not known, while listing. */
export type RuleOutcome = 'matched' | 'not matched' | 'unknown' | 'failed'

export interface RuleTrace {
  readonly rule: string
  readonly effect: Effect
  readonly outcome: RuleOutcome
  /** The reason of a failure. */
  readonly error?: string
}

/** A decision, and the rule that made it. */
export interface PolicyDecision {
  readonly effect: Effect
  readonly by: string
}

/** A decision with the outcome of every rule. */
export interface Explanation extends PolicyDecision {
  readonly isListed: boolean
  readonly rules: readonly RuleTrace[]
}

/** An explanation that counts pins too. */
export interface ItemExplanation extends Explanation {
  /** Whether the definition is an approved one. */
  readonly isPinned: boolean
}
