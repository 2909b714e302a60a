import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { backtrack } from './backtrack.ts'
import { patternLimit } from './limit.ts'
import { isSurelyLinear } from './linear.ts'
import { parseRegex } from './parse.ts'
import { compilePattern } from './pattern.ts'
import { compileRegex } from './program.ts'
import { simulate } from './simulate.ts'

const budget = () => ({ patternSteps: 2_000_000 })
const matches = (source: string, subject: string): boolean => compilePattern(source).test(subject, budget())
const simulated = (source: string, subject: string) => simulate(compileRegex(parseRegex(source)), subject, budget())
const backtracked = (source: string, subject: string) =>
  backtrack(compileRegex({ ...parseRegex(source), hasBackreference: true }), subject, budget())

const atom = fc.constantFrom(
  'a',
  'b',
  'c',
  '.',
  '[ab]',
  '[^a]',
  '\\d',
  '\\w',
  '\\s',
  '\\p{L}',
  '\\u{1F600}',
  '😀',
  '\\x61',
  '\\-',
)
const edge = fc.constantFrom('^', '$', '\\b', '\\B')
const quantifier = fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{0,2}?', '*?', '+?', '??', '{2,}')

function patternOf(backreferences: boolean): fc.Arbitrary<string> {
  return fc.letrec<{ pattern: string; piece: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      tie('piece'),
      fc.array(tie('piece'), { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('')),
      fc.array(tie('pattern'), { minLength: 2, maxLength: 3 }).map((options) => options.join('|')),
    ),
    piece: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      atom,
      edge,
      ...(backreferences ? [fc.constantFrom('\\1', '(a)', '(a|b)*')] : []),
      fc.tuple(atom, quantifier).map((parts) => parts.join('')),
      fc
        .tuple(fc.constantFrom('(', '(?:'), tie('pattern'), quantifier)
        .map(([open, body, count]) => `${open}${body})${count}`),
      fc.tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), tie('pattern')).map(([open, body]) => `${open}${body})`),
    ),
  })).pattern
}

const bmp = ['a', 'b', 'c', '1', ' ', '-', '\n', 'é']
const subjects = fc.string({ unit: fc.constantFrom(...bmp, '😀', '\ud83d'), maxLength: 8 })
// V8 is wrong about some zero-width matches around astral characters (/\1😀(c?)/u on '😀', /\B/u on 'a😀a').
const beyondV8 = (source: string, subject: string) => /[^\0-\ud7ff]/.test(subject) && /\\B|\(\?[=!<]/.test(source)
const bmpSubjects = fc.string({ unit: fc.constantFrom(...bmp), maxLength: 8 })

/** The answer, or nothing if backtracking explodes even on a short subject. */
function withinBudget(answer: () => boolean): boolean | undefined {
  try {
    return answer()
  } catch (thrown) {
    if (thrown !== patternLimit) throw thrown
    return undefined
  }
}

function native(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u')
  } catch {
    return undefined
  }
}

describe('against the native engine', () => {
  test('patterns without backreferences agree, by simulation and by backtracking', () => {
    fc.assert(
      fc.property(patternOf(false), subjects, (source, subject) => {
        const reference = native(source)
        fc.pre(reference !== undefined && !beyondV8(source, subject))
        const expected = reference!.test(subject)
        expect(simulated(source, subject)).toBe(expected)
        expect(withinBudget(() => backtracked(source, subject)) ?? expected).toBe(expected)
        expect(matches(source, subject)).toBe(expected)
      }),
      { numRuns: 3000 },
    )
  })

  test('patterns with backreferences agree', () => {
    fc.assert(
      fc.property(patternOf(true), bmpSubjects, (body, subject) => {
        const source = `(?:${body})(c?)\\1`
        const reference = native(source)
        fc.pre(reference !== undefined)
        const answer = withinBudget(() => matches(source, subject))
        fc.pre(answer !== undefined)
        expect(answer).toBe(reference!.test(subject))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('single patterns', () => {
  test.each([
    ['^(?<year>\\d{4})-\\k<year>$', '2024-2024', true],
    ['^(?<year>\\d{4})-\\k<year>$', '2024-2025', false],
    ['^\\k<later>(?<later>a)$', 'a', true],
    ['(?<=(a)(b))c', 'abc', true],
    ['(?<!\\$)\\b\\d+', 'x $5', false],
    ['^\\ud83d\\ude00$', '😀', true],
    ['^\\p{Script=Greek}+$', 'αβγ', true],
    ['^[\\w\\-]+\\@\\_$', 'a-b@_', true],
    ['^(?:(?=a)a|b)+$', 'abab', true],
    ['', 'anything', true],
    ['^$', '', true],
  ])('%s on %s is %s', (source, subject, expected) => {
    expect(matches(source, subject)).toBe(expected)
  })

  test.each(['(', '[a', '(?<n>a)(?<n>b)', 'a{2,1}', '\\p{Nonsense}', '(?<', '\\8'])('%s is refused', (source) => {
    expect(() => compilePattern(source)).toThrow(SyntaxError)
  })

  test.each([
    'a{1000000}',
    '((a{1000}){1000}){1000}',
    '(?:a{1,1000}){1,1000}',
    `${'('.repeat(500)}a${')'.repeat(500)}`,
    'a'.repeat(10_001),
  ])('a pattern that would grow too large is refused: %.40s', (source) =>
    expect(() => compilePattern(source)).toThrow(SyntaxError),
  )

  test('loops nested as deep as allowed are analysed at once', () => {
    const source = `^${'(?:'.repeat(60)}a${'b)*'.repeat(60)}$`
    expect(matches(source, `a${'b'.repeat(60)}`)).toBe(true)
    expect(matches(source, `a${'b'.repeat(59)}`)).toBe(false)
  })
})

describe('which patterns may go to the native engine', () => {
  test.each([
    '^[a-z]{1,5000}$',
    '^[a-z]+(?:-[a-z]+)*$',
    '^\\d{3}-\\d{4}$',
    '^(?:cat|car)$',
    '\\d\\d',
    '^https?://[^/]+/',
  ])('%s', (source) => {
    expect(isSurelyLinear(parseRegex(source).root)).toBe(true)
  })

  test.each([
    '(a+)+$',
    '^(a|a)*$',
    '^a*a*b',
    'a+b',
    '^(?:a?b?)*$',
    '^(?:[a-z]+.)+$',
    '^(?=a)a',
    '^(?:a|ab){30}$',
    '\\bword',
  ])('not %s', (source) => expect(isSurelyLinear(parseRegex(source).root)).toBe(false))
})

describe('hostile patterns', () => {
  const long = 'a'.repeat(100_000)
  test.each([
    ['(a+)+$', `${'a'.repeat(5000)}!`],
    ['^(a+)+$', `${'a'.repeat(50_000)}!`],
    ['(a|a)*b', 'a'.repeat(50_000)],
    ['(.*)*x', 'a'.repeat(50_000)],
    ['([a-z]+)*[0-9]', 'a'.repeat(50_000)],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', long],
    ['(x+x+)+y', 'x'.repeat(50_000)],
    ['a*a*a*a*b', 'a'.repeat(50_000)],
    ['^a?a?a?a?a?a?a?a?a?a?aaaaaaaaaa$', `${'a'.repeat(20)}b`],
  ])('%s answers "no" within the budget', (source, subject) => {
    expect(matches(source, subject)).toBe(false)
  })

  test.each([
    ['^(?=(?=(?=.*b)a)a)c', long],
    ['(?=.*b)(?=.*c)', long],
    ['(?<=^.*)b', long],
    ['(a*)*\\1b', 'a'.repeat(60)],
    ['^(a+)+\\1$', `${'a'.repeat(60)}!`],
    ['(?:a{1,60}){1,50}b', long],
  ])('%s stops: with an answer or at the limit', (source, subject) => {
    const spent = budget()
    try {
      expect(compilePattern(source).test(subject, spent)).toBe(false)
    } catch (thrown) {
      expect(thrown).toBe(patternLimit)
    }
    expect(spent.patternSteps).toBeGreaterThan(-2000)
  })
})
