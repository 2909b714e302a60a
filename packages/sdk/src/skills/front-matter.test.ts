import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseFrontMatter } from './front-matter.ts'
import { parseYaml } from './yaml.ts'

const withFields = (fields: string): string =>
  `---\nname: a-skill\ndescription: What it does\n${fields}\n---\n\n# Title\n`
const parsed = (fields: string): unknown => {
  const { name, description, ...rest } = parseFrontMatter(withFields(fields))
  return rest
}
const yaml = (text: string): unknown => parseYaml(text.split('\n'))

describe('a front matter', () => {
  // Every value on the right is what the npm package yaml makes of the left.
  test.each<[string, unknown]>([
    ['license: Apache-2.0', { license: 'Apache-2.0' }],
    ['a: 1.10\nb: "1.10"\nc: 0x1F\nd: 1e3\ne: -.5\nf: 007', { a: 1.1, b: '1.10', c: 31, d: 1000, e: -0.5, f: 7 }],
    ['a: true\nb: False\nc: yes\nd: null\ne: ~\nf:', { a: true, b: false, c: 'yes', d: null, e: null, f: null }],
    ['a: 2026-07-28\nb: 12:30\nc: 1_000\nd: 1.2.3', { a: '2026-07-28', b: '12:30', c: '1_000', d: '1.2.3' }],
    ['a: plain text # a comment\nb: a#b', { a: 'plain text', b: 'a#b' }],
    ["a: 'it''s'\nb: \"tab\\t\\u00e9\\x41\\U0001F600\"", { a: "it's", b: 'tab\té' + 'A😀' }],
    ['a: one\n  two\n\n  three\nb: 1', { a: 'one two\nthree', b: 1 }],
    ['a: "one\n  two\\\n  three\n\n  four"', { a: 'one twothree\nfour' }],
    ['a: |\n  one\n   two\n\n  # three\nb: 1', { a: 'one\n two\n\n# three\n', b: 1 }],
    ['a: >-\n  one\n  two\n\n  three\n    four\n  five', { a: 'one two\nthree\n  four\nfive' }],
    ['a: |+\n  one\n\nb: |-\n  two\n\n\nc: |2\n    x', { a: 'one\n\n', b: 'two', c: '  x\n' }],
    [
      'metadata:\n  version: "2.1"\n  deep:\n    er: 1\n\n  # x\n  z: 2',
      { metadata: { version: '2.1', deep: { er: 1 }, z: 2 } },
    ],
    ['a:\n- 1\n- two\n-\n  x: 1\n  y: 2\n- - 3\n  - 4\nb: 5', { a: [1, 'two', { x: 1, y: 2 }, [3, 4]], b: 5 }],
    [
      'a:\n  - b: 1\n    c:\n      - 2\n  - >\n    text\n  - [1, "2", {x: y, "z":3}]',
      {
        a: [{ b: 1, c: [2] }, 'text\n', [1, '2', { x: 'y', z: 3 }]],
      },
    ],
    ['a: [\n  1, # one\n  2,\n  ]\nb: {}\nc: { d, e: , }', { a: [1, 2], b: {}, c: { d: null, e: null } }],
    [
      "\"quoted key\": 1\n'it''s' : 2\na b: 3\nurl: https://example.com/#x",
      {
        'quoted key': 1,
        "it's": 2,
        'a b': 3,
        url: 'https://example.com/#x',
      },
    ],
  ])('%j', (fields, expected) => {
    expect(parsed(fields)).toEqual(expected)
    expect(parseFrontMatter(`\ufeff${withFields(fields).replaceAll('\n', '\r\n')}`)).toEqual(
      parseFrontMatter(withFields(fields)),
    )
  })

  test('takes JSON as it is, whatever its keys', () => {
    const json = fc
      .jsonValue({ maxDepth: 6, noUnicodeString: false })
      .filter((value) => !JSON.stringify(value).includes('"<<"'))
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(value)
        fc.pre(!/\\ud[89a-f]/i.test(text))
        expect(yaml(`k: ${text}`)).toEqual({ k: JSON.parse(text) })
      }),
    )
  })

  test('has keys that are nothing but keys', () => {
    const found = parseFrontMatter(withFields('__proto__:\n  polluted: true\nconstructor: 1\ntoString: {__proto__: 2}'))
    expect(Object.keys(found)).toEqual(['name', 'description', '__proto__', 'constructor', 'toString'])
    expect(Object.getPrototypeOf(found)).toBe(Object.prototype)
    expect((found as { polluted?: unknown }).polluted).toBeUndefined()
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  const refused: [fields: string, message: string, line: number][] = [
    ['a: &x 1\nb: *x', 'anchors are not supported', 4],
    ['b: *x', 'aliases are not supported', 4],
    ['a: !!js/function x', 'tags are not supported', 4],
    ['a: 1\n<<: {b: 2}', 'merge keys are not supported', 5],
    ['a: 1\nb: 2\na: 3', '"a" stands here twice', 6],
    ['a: {b: 1, b: 2}', '"b" stands here twice', 4],
    ['a: Use it: now', 'needs quotes', 4],
    ['a: b:', 'needs quotes', 4],
    ['a: "never closed\nb: 1', 'the quote is never closed', 4],
    ['a: [1, 2\nb: 1', 'the bracket is never closed', 4],
    ['a: [1 2, 3]]', 'expected the end of the line', 4],
    ['a: "x" y', 'expected the end of the line', 4],
    ['a: [1,, 2]', 'a value cannot start with a comma', 4],
    ['a: "\\q"', '\\q is not an escape', 4],
    ['a: "\\ud800"', 'half of a character', 4],
    ['a:\n\tb: 1', 'indented by a tab', 5],
    ['a:\n    b: 1\n  c: 2', 'indented by 2, expected 0', 6],
    ['just text', 'expected "key: value"', 4],
    ['? a\n: b', 'expected', 4],
    ['a: .inf', 'cannot be said in JSON', 4],
    ['a: 1e999', 'too large a number', 4],
    ['a: \u0007', 'cannot be seen', 4],
    ['metadata: text', 'metadata: expected a map', 4],
    [`compatibility: ${'x'.repeat(501)}`, 'compatibility: expected at most 500 characters, got 501', 4],
    ['...\na: 1', 'a second document', 4],
    [`a: ${'['.repeat(40)}`, 'nested deeper than 16 levels', 4],
    [`a:\n${'- '.repeat(40)}1`, 'nested deeper than 16 levels', 5],
    [Array.from({ length: 40 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'), 'nested deeper than 16 levels', 21],
    [`a: [${'1,'.repeat(3_000)}]`, 'more than 2000 values', 4],
    [`a: ${'x'.repeat(70_000)}`, 'longer than 65536 characters', 1],
  ]
  test.each(refused.map(([fields, message, line]) => [message, line, fields] as const))(
    'refused: %s, on line %d',
    (message, line, fields) => {
      let error: unknown
      try {
        parseFrontMatter(withFields(fields))
      } catch (thrown) {
        error = thrown
      }
      expect(error).toMatchObject({ name: 'FrontMatterError', message: expect.stringContaining(message), line })
    },
  )

  const wrong: [text: string, message: string][] = [
    ['', 'expected three dashes on the first line'],
    ['# Title\n---\nname: a\n---\n', 'expected three dashes on the first line'],
    ['---\nname: a\n', 'no three dashes after it'],
    ['---\n---\n', 'expected fields'],
    ['---\n- a\n---\n', 'expected fields'],
    ['---\ndescription: b\n---\n', 'name: expected 1 to 64'],
    ['---\nname: a\n---\n', 'description: expected a text, got none'],
    ['---\nname: a\ndescription: 7\n---\n', 'description: expected a text, got 7'],
    ['---\nname: a\ndescription: "  "\n---\n', 'description: expected a text that is not empty'],
    [`---\nname: a\ndescription: ${'x'.repeat(1_025)}\n---\n`, 'at most 1024 characters'],
    ...['A', 'a--b', '-a', 'a-', 'a_b', 'ä', '"../a"', '1', 'true', 'x'.repeat(65), '"a\\n"'].map(
      (name): [string, string] => [`---\nname: ${name}\ndescription: b\n---\n`, 'name: expected 1 to 64'],
    ),
  ]
  test.each(wrong.map(([text, message]) => [message, text.slice(0, 60), text]))('%s: %j', (message, _start, text) => {
    expect(() => parseFrontMatter(text)).toThrow(message)
  })

  test('takes a time that grows with its length, however it is made', () => {
    const long = 60_000
    const attacks = [
      ' ',
      '\t',
      '"',
      "'",
      '[',
      '{',
      ':',
      '#',
      ' #',
      ': ',
      '- ',
      '\\',
      '"\\',
      "''",
      ' :',
      'a:b ',
      'a ',
      '|',
      '\n',
      ' \n',
      '\n ',
      'a\n',
    ]
    const started = performance.now()
    for (const attack of attacks) {
      for (const before of ['k: ', 'k: "', "k: '", 'k: [', 'k: {a: ', 'k: |\n ', '- ', 'k', '"']) {
        try {
          yaml(before + attack.repeat(long / attack.length))
        } catch (error) {
          expect(error).toMatchObject({ name: 'YamlError' })
        }
      }
    }
    // Quadratic time would be minutes.
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})
