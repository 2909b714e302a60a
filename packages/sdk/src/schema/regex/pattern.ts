import { backtrack } from './backtrack.ts'
import { isSurelyLinear } from './linear.ts'
import { parseRegex } from './parse.ts'
import { compileRegex, type RegexBudget } from './program.ts'
import { type PatternBudget, patternLimit, simulate } from './simulate.ts'

/** A pattern from an untrusted schema, matched anywhere in the subject in bounded time. */
export interface Pattern {
  /** Throws `patternLimit` when the budget runs out. */
  test(subject: string, budget: PatternBudget): boolean
}

const maxSourceLength = 10_000

/** Compiles an ECMA-262 pattern (unicode mode); throws a `SyntaxError` if it is invalid or too large. */
export function compilePattern(source: string, budget: RegexBudget = { left: 2 * maxSourceLength }): Pattern {
  budget.left -= source.length
  if (source.length > maxSourceLength || budget.left < 0) throw new SyntaxError('there is too much of it')
  const { native, text } = checkSyntax(source)
  const parsed = parseRegex(text)
  if (!parsed.hasBackreference && isSurelyLinear(parsed.root))
    return { test: (subject, steps) => testNative(native, subject, steps) }
  const program = compileRegex(parsed, budget)
  const match = parsed.hasBackreference ? backtrack : simulate
  return { test: (subject, steps) => match(program, subject, steps) }
}

// Creating a RegExp only checks its syntax; nothing runs until it is given a subject.
function checkSyntax(source: string): { native: RegExp; text: string } {
  try {
    return { native: new RegExp(source, 'u'), text: source }
  } catch (error) {
    const text = withoutNeedlessEscapes(source)
    if (text === source) throw error
    return { native: new RegExp(text, 'u'), text }
  }
}

/** Schemas in the wild escape punctuation (`\-`, `\@`, `\_`) that unicode mode does not allow to be escaped. */
const withoutNeedlessEscapes = (source: string): string =>
  source.replace(/\\(?:([-_"'@#%&:;<=>,~`! ])|.)/gs, (whole, needless: string | undefined) =>
    needless === undefined ? whole : `\\x${needless.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )

function testNative(native: RegExp, subject: string, budget: PatternBudget): boolean {
  budget.patternSteps -= subject.length >> 3
  if (budget.patternSteps < 0) throw patternLimit
  return native.test(subject)
}
