import { backtrack } from './backtrack.ts'
import { type PatternBudget, patternLimit } from './limit.ts'
import { isSurelyLinear } from './linear.ts'
import { parseRegex } from './parse.ts'
import { compileRegex, type RegexBudget } from './program.ts'
import { simulate } from './simulate.ts'
import { checkSyntax, maxSourceLength } from './syntax.ts'

/** A pattern from an untrusted schema, matched anywhere in the subject in bounded time. */
export interface Pattern {
  /** Throws `patternLimit` when the budget runs out. */
  test(subject: string, budget: PatternBudget): boolean
}

/** Compiles an ECMA-262 pattern (unicode mode); throws a `SyntaxError` if it is invalid or too large. */
export function compilePattern(source: string, budget: RegexBudget = { left: 2 * maxSourceLength }): Pattern {
  budget.left -= source.length
  if (budget.left < 0) throw new SyntaxError('there is too much of it')
  const { native, text } = checkSyntax(source)
  const parsed = parseRegex(text)
  if (!parsed.hasBackreference && isSurelyLinear(parsed.root))
    return { test: (subject, steps) => testNative(native, subject, steps) }
  const program = compileRegex(parsed, budget)
  const match = parsed.hasBackreference ? backtrack : simulate
  return { test: (subject, steps) => match(program, subject, steps) }
}

function testNative(native: RegExp, subject: string, budget: PatternBudget): boolean {
  budget.patternSteps -= subject.length >> 3
  if (budget.patternSteps < 0) throw patternLimit
  return native.test(subject)
}
