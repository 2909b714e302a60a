import { describe, expect, test } from 'vitest'
import { matchUnbounded, type StepCounter } from './match.ts'
import { MAX_TEMPLATE_LENGTH, MAX_TEMPLATE_VARIABLES, parseParts } from './parse.ts'
import { compile } from './program.ts'

/** The work of one match, in steps of its inner loops. */
function costOf(template: string, uri: string): number {
  const counter: StepCounter = { count: 0 }
  matchUnbounded(compile(parseParts(template)), uri, counter)
  return counter.count
}

// Each of these makes a backtracking matcher try a quadratic, cubic or exponential number of splits.
const hostile: [template: string, uri: (length: number) => string][] = [
  ['{/a*}{/b*}{/c*}', (length) => '/'.repeat(length)],
  ['{/a*}{/b*}{/c*}!', (length) => '/'.repeat(length)],
  ['{/a*,b*,c*}{/d*}x', (length) => '/a'.repeat(length / 2)],
  ['{+a}{+b}{+c}x', (length) => 'x'.repeat(length)],
  ['{+a}{+b}{+c}x', (length) => `${'x'.repeat(length)}y`],
  ['{a*}{b*}{c*}{d*}', (length) => `${','.repeat(length)}/`],
  ['{a}{b}{c}{d}{e}{f}{g}{h}', (length) => `${'a'.repeat(length)}/`],
  ['{+a}-{+b}-{+c}-{+d}-!', (length) => '-'.repeat(length)],
  ['{+a}aaaaaaaaaaaaaaab{+c}', (length) => 'a'.repeat(length)],
  ['{a:9999}{b:9999}{c:9999}x', (length) => 'a'.repeat(length)],
  ['{x}{;a,b}{;c*}{.d*}!', (length) => ';a=1.'.repeat(length / 5)],
  ['{+x}{?a,b*}{#c}{+d}', (length) => '?a=1&b#'.repeat(length / 7)],
  ['{+x}{?a*}!', (length) => `?${'a&'.repeat(length / 2)}`],
  ['{+a}{+a}{+a}', (length) => 'a'.repeat(length)],
  ['{+a}%C3%A9{+b}%C3%A9{+c}x', (length) => '%C3%A9'.repeat(length / 6)],
  ['x'.repeat(50) + '{+a}x'.repeat(30), (length) => 'x'.repeat(length)],
]

describe('the cost of a match', () => {
  test.each(hostile)('%s grows with the length of the URI and not faster', (template, uri) => {
    const once = costOf(template, uri(50_400))
    const twice = costOf(template, uri(100_800))
    expect(once).toBeGreaterThan(0)
    expect(twice / once).toBeLessThan(2.2)
    expect(twice).toBeLessThan(3 * template.length * uri(100_800).length)
  })

  test('grows with the number of variables and not faster', () => {
    const uri = `${'a'.repeat(20_000)}/`
    const half = costOf('{a}'.repeat(MAX_TEMPLATE_VARIABLES / 2), uri)
    expect(costOf('{a}'.repeat(MAX_TEMPLATE_VARIABLES), uri) / half).toBeLessThan(2.2)
  })

  test('the largest template takes at most its length times that of the URI', () => {
    const variables = '{+a}'.repeat(MAX_TEMPLATE_VARIABLES)
    const literal = 'a'.repeat(MAX_TEMPLATE_LENGTH - variables.length)
    const uri = 'a'.repeat(8_000)
    expect(costOf(variables + literal, uri)).toBeLessThan(MAX_TEMPLATE_LENGTH * uri.length)
  })

  test('a URI that does not start like the template is refused at once', () => {
    expect(costOf('file:///{+a}{+b}', 'http:///'.padEnd(100_000, 'a'))).toBe(1)
  })
})
