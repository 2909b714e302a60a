import { expect, test } from 'vitest'
import { EvalsFileError, loadEvals } from '../../src/evals.ts'

const problems = (text: string): string[] => {
  try {
    loadEvals(text, 'f.yaml')
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(EvalsFileError)
    return (error as Error).message.split('\n')
  }
}

test('every problem of a file is told with its place', () => {
  expect(
    problems(`tenonEvals: 2
servers: { a: { url: "https://example.com", command: x } }
runs: 0
passRate: 2
consent: { alow: [], allow: [1], deny: no }
cases:
  - prmpt: hello
  - prompt: a
    expect: { calls: [{ tol: x }, { tool: x, outcome: fine }], text: { has: x }, maxSteps: -1 }
  - { prompt: b, name: a }
`),
  ).toMatchInlineSnapshot(`
    [
      "f.yaml:1:1: tenonEvals: expected tenonEvals: 1",
      "f.yaml:5:12: consent.alow: is not known here; did you mean allow?",
      "f.yaml:5:34: consent.deny: expected a list, got "no"",
      "f.yaml:5:30: consent.allow[0]: expected an object, got 1",
      "f.yaml:4:1: passRate: expected a number from 0 to 1, got 2",
      "f.yaml:7:5: cases[0].prmpt: is not known here; did you mean prompt?",
      "f.yaml:7:5: cases[0].prompt: expected a text, got nothing",
      "f.yaml:9:25: cases[1].expect.calls[0].tol: is not known here; did you mean tool?",
      "f.yaml:9:23: cases[1].expect.calls[0].tool: expected a text, got nothing",
      "f.yaml:9:46: cases[1].expect.calls[1].outcome: expected one of ok, error, refused, cancelled, interrupted, limit, got "fine"",
      "f.yaml:9:72: cases[1].expect.text.has: is no operator (equals, not, like, contains, includes, excludes, startsWith, endsWith, matches, above, below, atLeast, atMost, length, type, exists); equals compares with an object",
      "f.yaml:9:82: cases[1].expect.maxSteps: expected a number above 0, got -1",
      "f.yaml:10:5: cases[2]: another case has the name "a", too",
      "f.yaml:2:12: servers.a: expected one of command, url, config, got command and url",
      "f.yaml:3:1: runs: expected a whole number from 1 to 1000, got 0",
    ]
  `)
})

test.each([
  ['', ['f.yaml:1:1: expected an object, got null']],
  ['tenonEvals: 1', ['f.yaml:1:1: cases: expected a list, got nothing']],
  ['a: [', ['f.yaml:1:5: Flow sequence in block collection must be sufficiently indented and end with a ]']],
  [
    'tenonEvals: 1\nconsent: { allow: [{ tol: x }] }\ncases: []',
    ['f.yaml:2:1: consent: policy.allow: expected server, tool, kind, hints, when, got "tol"'],
  ],
])('%j is refused', (text, expected) => expect(problems(text)).toEqual(expected))

test('hostile files are refused', () => {
  expect(problems('x'.repeat(5_000_000))).toEqual(['f.yaml:1:1: longer than the limit of 4194304 characters'])
  expect(problems('['.repeat(100_000))[0]).toContain('f.yaml:1:')
  expect(problems('tenonEvals: 1\ncases: []\nconstructor: 1')[0]).toContain('constructor: is not known here')
})
