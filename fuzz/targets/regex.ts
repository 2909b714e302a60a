import fc from 'fast-check'
import { compilePattern, type Pattern } from '../../packages/sdk/src/schema/regex/pattern.ts'
import { patternLimit } from '../../packages/sdk/src/schema/regex/simulate.ts'
import { mutatedText } from '../lib/mutate.ts'
import { assert, type Target, target } from '../lib/target.ts'

const patterns = [
  '^[a-z]+(?:-[a-z0-9]+)*$',
  '^\\d{4}-\\d{2}-\\d{2}$',
  '(a|b)*c',
  '^(?=.*\\d)(?!.*x).{2,5}$',
  '(?<y>a+)b\\k<y>',
  '[^\\s"]+|\\p{L}{1,3}',
  '(?<=a)b(?<!c)',
  '^(?=.)..?$',
  '^(?:[\\w.]+@[\\w-]+\\.)+[a-z]{2,}$',
  '\\bword\\B|\\u{61}\\x62',
]
const atom = fc.constantFrom(
  'a',
  'b',
  '.',
  '[ab]',
  '[^a-c]',
  '\\d',
  '\\w',
  '\\s',
  '(a)',
  '(?:b|c)',
  '(?=a)',
  '(?<=ab)',
  '(?:(c)|b)',
  '\\1',
  '(?:a+)+',
  '(?<!ba)',
  '😀',
  '[^😀]',
  '^',
  '$',
  '\\b',
)
const built = fc
  .array(fc.tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{1,2}', '*?', '|')), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.flat().join(''))
const subject = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', 'x', '1', '-', ' ', '\n', 'é', '_', '@', '.', '😀'),
  maxLength: 10,
})

function native(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u')
  } catch {
    return undefined
  }
}

/** Ours, or the reason why it was refused. */
function ours(source: string): Pattern | SyntaxError {
  try {
    return compilePattern(source)
  } catch (error) {
    assert(error instanceof SyntaxError, `threw ${String(error)}`)
    return error
  }
}

// Beyond these limits a pattern is refused here, even if the platform's engine accepts it.
const isBounded = (source: string): boolean =>
  /too (?:large|long|many|deep)|limit|nest|deeper|larger|repeat/i.test(source)

/** The platform's engine may take a minute for this, and is not used. */
const long = `${'aab'.repeat(20)}!`

function assertBounded(pattern: Pattern, source: string): void {
  const started = performance.now()
  tested(pattern, long)
  const ms = performance.now() - started
  assert(ms < 1_000, `${JSON.stringify(source)} took ${ms} ms`)
}

/** Whether a pattern matches; undefined if that took too many steps. */
function tested(pattern: Pattern, text: string): boolean | undefined {
  try {
    return pattern.test(text, { patternSteps: 1_000_000 })
  } catch (error) {
    assert(error === patternLimit, `threw ${String(error)}`)
    return undefined
  }
}

/** V8 does not find a character beyond the BMP behind a reference to a group without a match: `/\1😀|(a)/u` on `😀`. */
const misleadsPlatform = (source: string): boolean => /\\[1-9k]/.test(source) && /[\u{10000}-\u{10ffff}]/u.test(source)

export const regex: Target = target({
  name: 'regex',
  claim: 'patterns of schemas are read, refused and matched as the engine of the platform does it, and in bounded time',
  inputs: fc.record({
    source: fc.oneof(mutatedText(fc.constantFrom(...patterns)), built),
    text: fc.oneof(subject, fc.constantFrom('😀', 'a😀', '😀😀')),
  }),
  check({ source, text }) {
    const expected = native(source)
    const pattern = ours(source)
    if (pattern instanceof SyntaxError) {
      // Outside of the Unicode mode some escapes are lenient, and ours are too: each refusal here needs a reason.
      assert(
        expected === undefined || isBounded(pattern.message),
        `refused ${JSON.stringify(source)}: ${pattern.message}`,
      )
      return
    }
    assertBounded(pattern, source)
    if (expected === undefined || misleadsPlatform(source)) return
    const found = tested(pattern, text)
    if (found === undefined) return
    assert(found === expected.test(text), `${JSON.stringify(source)} on ${JSON.stringify(text)}: ${found}`)
  },
})
