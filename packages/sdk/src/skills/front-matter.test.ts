import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseFrontMatter } from './front-matter.ts'
import { readYaml } from './front-matter-yaml.ts'

const withFields = (fields: string): string =>
  `---\nname: a-skill\ndescription: What it does\n${fields}\n---\n\n# Title\n`
const parsed = async (fields: string): Promise<unknown> => {
  const { name, description, ...rest } = await parseFrontMatter(withFields(fields))
  return rest
}
const yaml = (text: string): unknown => readYaml(text.split('\n'))

describe('a front matter', () => {
  test.each<[string, unknown]>([
    ['license: Apache-2.0', { license: 'Apache-2.0' }],
    ['a: 1.10\nb: "1.10"\nc: 0x1F\nd: 007', { a: 1.1, b: '1.10', c: 31, d: 7 }],
    ['a: true\nb: yes\nc: ~\nd:\ne: 2026-07-28', { a: true, b: 'yes', c: null, d: null, e: '2026-07-28' }],
    ['a: >-\n  one\n  two\nb: |\n  one\n  # two', { a: 'one two', b: 'one\n# two\n' }],
    [
      'metadata:\n  version: "2.1"\n  tags: [a, "b", {c: d}]',
      { metadata: { version: '2.1', tags: ['a', 'b', { c: 'd' }] } },
    ],
    ['1: a\n0x1F: b\n"quoted key": c', { 1: 'a', '0x1F': 'b', 'quoted key': 'c' }],
  ])('%j', async (fields, expected) => {
    expect(await parsed(fields)).toEqual(expected)
    expect(await parseFrontMatter(`\ufeff${withFields(fields).replaceAll('\n', '\r\n')}`)).toEqual(
      await parseFrontMatter(withFields(fields)),
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

  test('has keys that are nothing but keys', async () => {
    const found = await parseFrontMatter(
      withFields('__proto__:\n  polluted: true\nconstructor: 1\ntoString: {__proto__: 2}'),
    )
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
    ['a: "never closed\nb: 1', 'Missing closing "quote', 5],
    ['a: [1, 2\nb: 1', 'sufficiently indented and end with a ]', 5],
    ['a: [1 2, 3]]', 'Unexpected flow-seq-end', 4],
    ['a: "x" y', 'Unexpected scalar', 4],
    ['a: [1,, 2]', 'Unexpected , in flow sequence', 4],
    ['a: "\\q"', 'Invalid escape sequence \\q', 4],
    ['a: "\\ud800"', 'half of a character', 4],
    ['a:\n\tb: 1', 'Tabs are not allowed as indentation', 5],
    ['a:\n    b: 1\n  c: 2', 'must start at the same column', 6],
    ['just text', 'need to be followed by map values', 4],
    ['? [a]\n: b', 'all keys must be strings', 4],
    ['a: .inf', 'is no number of JSON', 4],
    ['a: 1e999', 'is no number of JSON', 4],
    ['a: \u0007', 'cannot be seen', 4],
    ['metadata: text', 'metadata: expected a map', 4],
    [`compatibility: ${'x'.repeat(501)}`, 'compatibility: expected at most 500 characters, got 501', 4],
    ['...\na: 1', 'a second document', 4],
    ['--- {a: 1}', 'a second document', 4],
    ['%YAML 1.1', 'a directive', 4],
    [`a: ${'['.repeat(40)}`, 'nested deeper than 16 levels', 4],
    [`a:\n${'- '.repeat(40)}1`, 'nested deeper than 16 levels', 5],
    [Array.from({ length: 40 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'), 'nested deeper than 16 levels', 21],
    [`a: [${'1,'.repeat(3_000)}]`, 'more than 2000 values', 4],
    [`a: [${'1,'.repeat(30_000)}]`, 'more than 16000 words and signs', 4],
    [`a: ${'x'.repeat(70_000)}`, 'longer than 65536 characters', 1],
  ]
  test.each(refused.map(([fields, message, line]) => [message, line, fields] as const))(
    'refused: %s, on line %d',
    async (message, line, fields) => {
      await expect(parseFrontMatter(withFields(fields))).rejects.toMatchObject({
        name: 'FrontMatterError',
        message: expect.stringContaining(message),
        line,
      })
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
  test.each(wrong.map(([text, message]) => [message, text.slice(0, 60), text]))(
    '%s: %j',
    async (message, _start, text) => {
      await expect(parseFrontMatter(text)).rejects.toThrow(message)
    },
  )

  // Full stacks can end the process, and quadratic time would be minutes.
  test('is read or refused, however long and deep it is', () => {
    const attacks = [
      ...[' ', '\t', '"', "'", '[', '{', ':', '#', ' #', ': ', '- ', '? ', '\\', '"\\', "''", ' :', '[a: ', '&a '],
      ...['a:b ', 'a ', '|', '\n', ' \n', '\n ', 'a\n', 'a:\n', '- a\n'],
    ]
    for (const attack of attacks) {
      for (const before of ['', 'k: ', 'k: "', 'k: [', 'k: |\n ']) {
        try {
          yaml(before + attack.repeat(60_000 / attack.length))
        } catch (error) {
          expect(error).toMatchObject({ name: 'FrontMatterError' })
        }
      }
    }
  })
})
