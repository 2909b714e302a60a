import type { JsonObject, ToolFacts } from '@tenon/sdk/client'
import { HostError } from '../host-error.ts'
import { type CompiledRule, compileRule } from './rules.ts'
import type { Consent, ConsentInput, ConsentItem, Decision, Verdict } from './types.ts'

/** A condition on the arguments: a function, or an expression in CEL over `args`, `server`, `tool`, `hints` and `session`. */
export type Condition = string | ((args: JsonObject, item: ConsentItem, session: JsonObject) => boolean)

/** A rule with conditions, all of which must hold. */
export interface PolicyRule {
  /** A pattern for the server, with `*`. */
  server?: string
  /** A pattern for the tool, prompt or URI, with `*`. */
  tool?: string
  /** Only for tools, resources or prompts. */
  kind?: ConsentItem['kind']
  /** Hints of the tool. Those of a server that is not trusted can only lead to a stricter verdict. */
  hints?: Partial<ToolFacts>
  when?: Condition
}

/** Rules as text are `server.tool` with `*`. */
export interface PolicyRules {
  deny?: readonly (string | PolicyRule)[]
  ask?: readonly (string | PolicyRule)[]
  allow?: readonly (string | PolicyRule)[]
  /** For everything that no rule matches; by default the host decides. */
  otherwise?: Verdict
}

const verdicts = ['deny', 'ask', 'allow'] as const

/**
 * Consent by rules. Deny wins over ask, and ask over allow, whatever their order.
 *
 * @example
 * policy({
 *   allow: ['weather.*', { server: 'files', when: 'args.path.startsWith("/tmp/")' }],
 *   ask: [{ hints: { openWorld: true } }],
 *   deny: ['*.delete_*'],
 * })
 */
export function policy(rules: PolicyRules): Consent {
  assertRules(rules)
  const compiled = verdicts.flatMap((verdict) => (rules[verdict] ?? []).map((rule) => compileRule(verdict, rule)))
  const rest: Decision | undefined = rules.otherwise && { verdict: rules.otherwise, rule: 'otherwise' }
  // The host keeps an item as long as its definition: patterns are matched once for each.
  const known = new WeakMap<ConsentItem, readonly CompiledRule[]>()
  const rulesOf = (item: ConsentItem): readonly CompiledRule[] => {
    const found = known.get(item) ?? compiled.filter((rule) => rule.applies(item))
    known.set(item, found)
    return found
  }
  return {
    decide: (item, input) => firstMatch(rulesOf(item), 0, item, input, rest),
    async prepare() {
      for (const rule of compiled) await rule.prepare?.()
    },
  }
}

/** Goes through the rules without a promise as long as none of them needs one. */
function firstMatch(
  rules: readonly CompiledRule[],
  from: number,
  item: ConsentItem,
  input: ConsentInput,
  rest: Decision | undefined,
): Decision | undefined | Promise<Decision | undefined> {
  for (let at = from; at < rules.length; at++) {
    const rule = rules[at]!
    const holds = rule.holds === undefined || rule.holds(item, input)
    if (holds instanceof Promise) {
      return holds.then((does) => (does ? rule.decision : firstMatch(rules, at + 1, item, input, rest)))
    }
    if (holds) return rule.decision
  }
  return rest
}

function assertRules(rules: PolicyRules): void {
  const known = [...verdicts, 'otherwise']
  const unknown = Object.keys(rules).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new HostError('invalid_argument', `policy: expected ${known.join(', ')}, got ${JSON.stringify(unknown)}`)
  }
  const { otherwise } = rules
  if (otherwise !== undefined && !verdicts.includes(otherwise)) {
    throw new HostError(
      'invalid_argument',
      `policy.otherwise: expected ${verdicts.join(', ')}, got ${String(otherwise)}`,
    )
  }
}
