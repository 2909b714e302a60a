import { type ToolFacts, toolFacts } from '@tenon/sdk/client'
import type { Expression } from '../expressions/expression.ts'
import { HostError } from '../host-error.ts'
import { loadCel } from './cel.ts'
import { matcherOf } from './patterns.ts'
import type { Condition, PolicyRule } from './policy.ts'
import type { ConsentInput, ConsentItem, Decision, Verdict } from './types.ts'

/** A rule whose patterns are compiled. */
export interface CompiledRule {
  readonly decision: Decision
  /** Whether everything but the condition holds, which depends on the item alone. */
  applies(item: ConsentItem): boolean
  /** Whether the condition holds; missing if there is none. */
  readonly holds?: CompiledCondition['holds']
  readonly prepare?: CompiledCondition['prepare']
}

const members = ['server', 'tool', 'kind', 'hints', 'when']

/** Compiles a rule; `prepare` compiles its expression. */
export function compileRule(verdict: Verdict, rule: string | PolicyRule): CompiledRule {
  const decision = { verdict, rule: `${verdict} ${describeRule(rule)}` }
  if (typeof rule === 'string')
    return { decision, applies: textMatcher(rule.includes('.') ? rule : `${rule}.*`, verdict) }
  assertRule(verdict, rule)
  const [server, name] = [matcherOf(rule.server ?? '*'), matcherOf(rule.tool ?? '*')]
  const { kind, hints, when } = rule
  const applies = (item: ConsentItem): boolean =>
    server(item.server) &&
    name(item.name) &&
    (kind === undefined || kind === item.kind) &&
    (hints === undefined || hintsHold(hints, item, verdict))
  return { decision, applies, ...(when !== undefined && conditionOf(when, verdict)) }
}

/**
 * Names may have dots. A rule that allows is divided at each of its own dots, and its server must be all of the server: a
 * server `files.evil` is none of `files.*`, nor is a tool `delete.read` one of `*.read`. A rule that asks or denies also
 * counts for those that only look as if it were about them.
 */
function textMatcher(rule: string, verdict: Verdict): (item: ConsentItem) => boolean {
  const whole = matcherOf(rule)
  if (verdict !== 'allow') return ({ server, name }) => whole(`${server}.${name}`)
  const dots = [...rule.matchAll(/\./g)].map(({ index }) => index)
  const divided = dots.map((dot) => [matcherOf(rule.slice(0, dot)), matcherOf(rule.slice(dot + 1))] as const)
  return ({ server, name }) => divided.some(([ofServer, ofName]) => ofServer(server) && ofName(name))
}

const describeRule = (rule: string | PolicyRule): string =>
  typeof rule === 'string'
    ? rule
    : JSON.stringify(rule, (_, value: unknown) => (typeof value === 'function' ? 'a function' : value))

function assertRule(verdict: Verdict, rule: PolicyRule): void {
  const unknown = Object.keys(rule).find((member) => !members.includes(member))
  if (unknown === undefined) return
  throw new HostError(
    'invalid_argument',
    `policy.${verdict}: expected ${members.join(', ')}, got ${JSON.stringify(unknown)}`,
  )
}

const worst: ToolFacts = toolFacts({ name: '', inputSchema: {} })

/**
 * A server that is not trusted can claim anything. So a rule that loosens must hold for the worst case as well as for the
 * claim, and a rule that tightens holds if either does.
 */
function hintsHold(wanted: Partial<ToolFacts>, { tool, trusted }: ConsentItem, verdict: Verdict): boolean {
  if (tool === undefined) return verdict !== 'allow'
  const hold = (facts: ToolFacts): boolean =>
    Object.entries(wanted).every(([hint, value]) => facts[hint as keyof ToolFacts] === value)
  const claimed = hold(toolFacts(tool))
  if (trusted) return claimed
  return verdict === 'allow' ? claimed && hold(worst) : claimed || hold(worst)
}

interface CompiledCondition {
  holds(item: ConsentItem, input: ConsentInput): boolean | Promise<boolean>
  prepare?(): Promise<void>
}

/**
 * A condition that fails is one that nobody can rely on: then a rule that allows does not match, and one that asks or
 * denies does. Without arguments, while listing, no condition holds.
 */
function conditionOf(when: Condition, verdict: Verdict): CompiledCondition {
  const onFailure = verdict !== 'allow'
  if (typeof when === 'function') {
    return {
      holds(item, { args, session }) {
        if (args === undefined) return false
        try {
          return when(args, item, session) === true
        } catch {
          return onFailure
        }
      },
    }
  }
  let expression: Expression['evaluate'] | undefined
  const evaluate = (item: ConsentItem, { args, session }: ConsentInput): boolean => {
    try {
      const { server, name, tool } = item
      const hints = tool === undefined ? {} : toolFacts(tool)
      return expression!({ args, server, tool: name, hints, session }) === true
    } catch {
      return onFailure
    }
  }
  const prepare = async (): Promise<void> => {
    expression ??= (await loadCel())(when)
  }
  return {
    prepare,
    holds(item, input) {
      if (input.args === undefined) return false
      if (expression !== undefined) return evaluate(item, input)
      return prepare().then(() => evaluate(item, input))
    },
  }
}
