import { contains, jsonExcerpt, mismatches, type PathStep } from '@tenon/replay/files'
import { matcherOf } from '../consent/patterns.ts'
import type { CallCheck, EvalCall, EvalChecks } from './types.ts'

/** The parts of a conversation that checks are about. */
interface Observed {
  text: string
  calls: EvalCall[]
  steps: number
  tokens: number
}

/** A check that does not hold, and the place of it below `expect`. */
interface Finding {
  at: PathStep[]
  message: string
}

/** The checks that do not hold. */
export function findFailures(expect: EvalChecks, found: Observed): Finding[] {
  const { maxSteps, maxTokens, text } = expect
  const findings: Finding[] = []
  for (const [index, check] of expect.calls.entries()) {
    const message = missingCall(check, found.calls)
    if (message !== undefined) findings.push({ at: ['calls', index], message })
  }
  for (const [index, pattern] of expect.never.entries()) {
    const call = found.calls.find(({ tool }) => isTool(pattern, tool))
    if (call) findings.push({ at: ['never', index], message: `expected no call of ${pattern}, got ${describe(call)}` })
  }
  if (text !== undefined) {
    const wrong = mismatches(found.text, text)
    const message = `expected a text that ${wrong.join(' and ')}, got ${jsonExcerpt(found.text, 200)}`
    if (wrong.length > 0) findings.push({ at: ['text'], message })
  }
  if (maxSteps !== undefined && found.steps > maxSteps) {
    findings.push({ at: ['maxSteps'], message: `expected at most ${maxSteps} steps, got ${found.steps}` })
  }
  if (maxTokens !== undefined && found.tokens > maxTokens) {
    findings.push({ at: ['maxTokens'], message: `expected at most ${maxTokens} tokens, got ${found.tokens}` })
  }
  return findings
}

/** A pattern without a dot is for the tools of any server, and for those of the conversation itself. */
const isTool = (pattern: string, tool: string): boolean =>
  matcherOf(pattern)(pattern.includes('.') ? tool : tool.slice(tool.indexOf('.') + 1))

function missingCall(check: CallCheck, calls: readonly EvalCall[]): string | undefined {
  const { tool, arguments: wanted, outcome } = check
  const named = calls.filter((call) => isTool(tool, call.tool))
  const fits = (call: EvalCall): boolean =>
    (wanted === undefined || contains(call.arguments, wanted)) && (outcome === undefined || call.outcome === outcome)
  if (named.some(fits)) return undefined
  const args = wanted === undefined ? '' : ` with ${jsonExcerpt(wanted, 200)}`
  const end = outcome === undefined ? '' : ` that ends with ${outcome}`
  const others = named.length > 0 ? named : calls
  const found = others.length === 0 ? 'no call' : others.slice(0, 3).map(describe).join(', ')
  return `expected a call of ${tool}${args}${end}, got ${found}`
}

const describe = ({ tool, arguments: args, outcome }: EvalCall): string =>
  `${tool} ${jsonExcerpt(args, 200)}${outcome === undefined || outcome === 'ok' ? '' : ` (${outcome})`}`
