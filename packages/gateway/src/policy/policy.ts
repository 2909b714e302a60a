import type { Expression } from '@tenon/host/parts'
import type { JsonObject } from '@tenon/sdk/client'
import type { GatewayCaller, GatewayItem } from '../model.ts'
import { argumentFacts } from './argument-facts.ts'
import { compileCondition, holds } from './condition.ts'
import { type Facts, factsOf } from './facts.ts'
import { compileMatch } from './item-match.ts'
import type { Effect, Explanation, PolicyDecision, Rule, RuleOutcome, RuleTrace } from './types.ts'

interface CompiledRule {
  readonly rule: Rule
  matches(server: string, item: GatewayItem): boolean
  readonly condition: Expression | undefined
}

interface RuleResult {
  readonly outcome: RuleOutcome
  readonly error?: string
}

/** The strictest effect is tried first. */
const strictness: readonly Effect[] = ['deny', 'approve', 'allow']

const noArguments = argumentFacts({})
const matched: RuleResult = { outcome: 'matched' }
const notMatched: RuleResult = { outcome: 'not matched' }
const unknown: RuleResult = { outcome: 'unknown' }

/**
 * The rules of a gateway. The strictest rule that matches decides, wherever it stands: deny, then approve, then allow, then
 * the default. So a rule that denies holds whatever other rules say, and no rule added to the file can weaken it.
 */
export class Policy {
  readonly #rules: readonly CompiledRule[]
  readonly #readsArgs: boolean
  /** Whether a decision may change by itself. */
  readonly readsTime: boolean
  readonly #default: Effect
  readonly #now: () => Date

  constructor(rules: readonly Rule[], byDefault: Effect = 'deny', now: () => Date = () => new Date()) {
    const compiled = rules.map((rule) => ({
      rule,
      matches: compileMatch(rule.match),
      condition: rule.when === undefined ? undefined : compileCondition(rule.when),
    }))
    this.#rules = strictness.flatMap((effect) => compiled.filter(({ rule }) => rule.effect === effect))
    this.#readsArgs = compiled.some(({ condition }) => condition?.names.has('args'))
    this.readsTime = compiled.some(({ condition }) => condition?.names.has('now'))
    this.#default = byDefault
    this.#now = now
  }

  /** Whether the item is listed: unless it is denied whatever the arguments. */
  isListed(caller: GatewayCaller, server: string, item: GatewayItem): boolean {
    const facts = this.#factsOf(caller, server, item, undefined)
    for (const compiled of this.#rules) {
      const { effect } = compiled.rule
      const { outcome } = apply(compiled, server, item, facts)
      if (outcome === 'not matched' || (outcome === 'unknown' && effect === 'deny')) continue
      if (outcome === 'failed' && effect === 'allow') continue
      return outcome !== 'failed' && effect !== 'deny'
    }
    return this.#default !== 'deny'
  }

  /** The decision about a request. */
  decide(caller: GatewayCaller, server: string, item: GatewayItem, args: JsonObject): PolicyDecision {
    const facts = this.#factsOf(caller, server, item, args)
    for (const compiled of this.#rules) {
      const decision = decisionOf(compiled.rule, apply(compiled, server, item, facts))
      if (decision !== undefined) return decision
    }
    return { effect: this.#default, by: 'default' }
  }

  /** The decision with the outcome of every rule; without arguments, as for a list. */
  explain(caller: GatewayCaller, server: string, item: GatewayItem, args?: JsonObject): Explanation {
    const facts = this.#factsOf(caller, server, item, args)
    const rules: RuleTrace[] = []
    let decided: PolicyDecision | undefined
    for (const compiled of this.#rules) {
      const { name, effect } = compiled.rule
      const result = apply(compiled, server, item, facts)
      rules.push({ rule: name, effect, ...result })
      decided ??= decisionOf(compiled.rule, result)
    }
    const decision = decided ?? { effect: this.#default, by: 'default' }
    return { ...decision, isListed: this.isListed(caller, server, item), rules }
  }

  #factsOf(caller: GatewayCaller, server: string, item: GatewayItem, args: JsonObject | undefined): Facts {
    const known = args === undefined ? undefined : this.#readsArgs ? argumentFacts(args) : noArguments
    return factsOf(caller, server, item, known, this.#now())
  }
}

function apply({ matches, condition }: CompiledRule, server: string, item: GatewayItem, facts: Facts): RuleResult {
  if (!matches(server, item)) return notMatched
  if (condition === undefined) return matched
  try {
    const value = holds(condition, facts)
    if (value === undefined) return unknown
    return value ? matched : notMatched
  } catch (error) {
    return { outcome: 'failed', error: error instanceof Error ? error.message.split('\n')[0]! : String(error) }
  }
}

/** A condition that fails lets nothing through: then a rule that allows does not match, and any other denies. */
function decisionOf({ name, effect }: Rule, { outcome }: RuleResult): PolicyDecision | undefined {
  if (outcome === 'matched') return { effect, by: name }
  if (outcome === 'failed' && effect !== 'allow') return { effect: 'deny', by: `${name}, which failed` }
  return undefined
}
