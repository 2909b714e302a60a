// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how saved calls write variables
import { expect, test } from 'vitest'
import { loadCalls } from './calls-file.ts'
import { parseLocated } from './located-document.ts'

const problems = (text: string): string[] => {
  try {
    loadCalls(text, 'f.yaml')
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

test.each([
  ['', ['f.yaml:1:1: expected an object, got null']],
  ['[]', ['f.yaml:1:1: expected an object, got a list']],
  ['calls: []', ['f.yaml:1:1: expected tenonCalls: 1, got nothing']],
  ['tenonCalls: 2\ncalls: []', ['f.yaml:1:1: tenonCalls: expected tenonCalls: 1, got 2']],
  ['tenonCalls: 1', ['f.yaml:1:1: calls: expected a list, got nothing']],
  ['a: [', ['f.yaml:1:5: Flow sequence in block collection must be sufficiently indented and end with a ]']],
  ['a: 1\na: 2', ['f.yaml:2:1: Map keys must be unique']],
])('%j is refused', (text, expected) => expect(problems(text)).toEqual(expected))

const call = (lines: string): string => `tenonCalls: 1\ncalls:\n  - ${lines.trim().split('\n').join('\n    ')}\n`

test.each([
  [
    'tol: add',
    [
      '3:5: calls[0].tol: is not known here; did you mean tool?',
      '3:5: calls[0]: expected one of tool, read, prompt, complete, list, request, got none',
    ],
  ],
  [
    'tool: add\nread: a:b',
    ['3:5: calls[0]: expected one of tool, read, prompt, complete, list, request, got tool and read'],
  ],
  ['tool: 5', ['3:5: calls[0].tool: expected a text, got 5']],
  ['tool: a\narguments: [1]', ['4:5: calls[0].arguments: expected an object, got a list']],
  ['read: a:b\narguments: {}', ['4:5: calls[0].arguments: are for tool and prompt; read has none']],
  [
    'list: tool',
    ['3:5: calls[0].list: expected one of tools, resources, templates, prompts, got "tool"; did you mean tools?'],
  ],
  ['tool: a\nserver: b', ['4:5: calls[0].server: expected one of default, got "b"']],
  [
    'tool: a\nrevisions: [2025-11-26]',
    [
      '4:17: calls[0].revisions[0]: expected one of 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28, got "2025-11-26"; did you mean 2025-11-25?',
    ],
  ],
  ['tool: a\nexpect:\n  txt: b', ['5:7: calls[0].expect.txt: is not known here; did you mean text?']],
  [
    'tool: a\nexpect:\n  text: { has: b }',
    [
      '5:15: calls[0].expect.text.has: is no operator (equals, not, like, contains, includes, excludes, startsWith, endsWith, matches, above, below, atLeast, atMost, length, type, exists); equals compares with an object',
    ],
  ],
  ['tool: a\nexpect:\n  text: { matches: "(" }', ['5:15: calls[0].expect.text.matches: expected a pattern, got "("']],
  ['tool: a\nexpect: { count: { above: many } }', ['4:24: calls[0].expect.count.above: expected a number, got "many"']],
  [
    'tool: a\nexpect: { at: { "a..b": 1 } }',
    ['4:21: calls[0].expect.at["a..b"]: expected a path such as structured.items[0].name'],
  ],
  [
    'tool: a\nexpect: { error: [] }',
    ['4:15: calls[0].expect.error: expected true, a code, or an object with code and message, got a list'],
  ],
  ['tool: a\nexpect: { maxMs: -1 }', ['4:15: calls[0].expect.maxMs: expected a number above 0, got -1']],
  [
    'tool: a\ncapture: { env: text }',
    ['4:16: calls[0].capture.env: expected a name of letters, digits, _ and -, other than env'],
  ],
  ['tool: a\ncapture: { id: "" }', ['4:16: calls[0].capture.id: expected a path such as structured.id, got ""']],
  [
    'tool: a\nanswers: [ { elicit: yes } ]',
    ['4:18: calls[0].answers[0].elicit: expected { accept: … }, decline or cancel, got "yes"'],
  ],
  ['tool: a\nanswers: [ {} ]', ['4:16: calls[0].answers[0]: expected either elicit or sample']],
  ['complete: { argument: a }', ['3:5: calls[0].complete: expected either prompt or template']],
  ['request: { method: "" }', ['3:16: calls[0].request.method: expected a text, got ""']],
  ['tool: "${nam}"', ['3:5: calls[0].tool: ${nam} is no variable of this file, and no earlier call captures it']],
])('%j is refused with the place', (lines, expected) => {
  expect(problems(call(lines))).toEqual(expected.map((problem) => `f.yaml:${problem}`))
})

test('all problems are told at once, and variables are known from the file and from earlier calls', () => {
  expect(
    problems(`
tenonCalls: 1
servers:
  a: { url: 'https://example.com', command: x }
  b: { args: [1] }
variables: { city: Oslo }
calls:
  - { tool: "\${city}", capture: { id: text } }
  - { tool: "\${id}\${cty}" }
`),
  ).toEqual([
    'f.yaml:4:3: servers.a: expected one of command, url, config, got command and url',
    'f.yaml:5:3: servers.b: expected one of command, url, config, got none',
    'f.yaml:9:7: calls[1].tool: ${cty} is no variable of this file, and no earlier call captures it; did you mean ${city}?',
  ])
})

test('a file that is made to fill memory does not', () => {
  const bomb = ['a: &a [x,x,x,x,x,x,x,x,x,x]']
  for (let i = 0; i < 12; i++) {
    const [name, before] = [String.fromCharCode(98 + i), String.fromCharCode(97 + i)]
    bomb.push(`${name}: &${name} [${Array(10).fill(`*${before}`).join(',')}]`)
  }
  expect(problems(bomb.join('\n'))).toEqual([
    'f.yaml:1:1: Excessive alias count indicates a resource exhaustion attack',
  ])
  expect(problems('x'.repeat(5_000_000))).toEqual(['f.yaml:1:1: longer than the limit of 4194304 characters'])
})

test('aliases and merged values are read, and their problems are placed', () => {
  const { calls } = loadCalls('tenonCalls: 1\nvariables: { x: &x { a: 1 } }\ncalls: [ { tool: t, arguments: *x } ]')
  expect(calls[0]!.operation).toMatchObject({ arguments: { a: 1 } })
})

test('names of the prototype are names like others', () => {
  expect(problems(call('tool: a\nconstructor: 1'))[0]).toContain('calls[0].constructor: is not known here')
  expect(problems(call('tool: "${constructor}"'))[0]).toContain('is no variable of this file')
})

test.each([
  ['lists', '['.repeat(1_000_000)],
  ['maps', '{"a":'.repeat(100_000)],
  ['items in one line', `${'- '.repeat(3_000)}a`],
  ['indented maps', Array.from({ length: 2_000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
])('a file of %s without end is refused before it is parsed', (_, text) => {
  expect(() => parseLocated(text, 'calls.yaml')).toThrow('calls.yaml:1:1: nested deeper than the limit of 100 levels')
})

test('brackets and spaces in texts are no levels', () => {
  const value = `a: "${'['.repeat(500)}"\nb: |\n${' '.repeat(600)}far in\nc:\n  - {d: [1, {e: 2}]}\n# ${'['.repeat(500)}\n`
  expect(parseLocated(value, 'calls.yaml').value).toMatchObject({ c: [{ d: [1, { e: 2 }] }] })
})
