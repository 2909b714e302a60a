import { describe, expect, test } from 'vitest'
import { complaints, measure } from './plain-words.mjs'

const lines = (places: { line: number }[]): number[] => places.map(({ line }) => line)

describe('in code', () => {
  test('comments are read, strings, templates, regular expressions and types are not', () => {
    const source = [
      "const a = '// what' // one two",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template.
      'const b = `/* what */ ${/* three */ a}`',
      'const c = /\\/* what *\\//',
      'type What = string',
    ].join('\n')
    expect(measure('a.ts', source)).toMatchObject({ words: 3, whats: [] })
  })

  test('JSX has comments in braces, and its text is not one', () => {
    const found = measure('a.tsx', 'const a = (\n  <p>\n    {/* What is shown. */}\n    // what\n  </p>\n)')
    expect(found).toMatchObject({ words: 3, whats: [{ line: 3, text: '{/* What is shown. */}' }] })
  })

  test('a sentence may go on in the next line, and is found there', () => {
    const found = measure('a.ts', '/**\n * The server sends\n * what it has. Who\n * asks is told.\n */\nconst a = 1')
    expect(found).toMatchObject({ words: 10, sentences: 2 })
    expect(lines(found.whats)).toEqual([3])
    expect(lines(found.openers)).toEqual([3])
  })

  test('adjacent line comments are one text, those beside code are their own', () => {
    expect(measure('a.ts', '// One sentence\n// Where it ends.').openers).toEqual([])
    expect(lines(measure('a.ts', 'const a = 1 // One\nconst b = 2 // Where').openers)).toEqual([2])
  })

  test('tags and list items begin sentences, examples and inline code hold none', () => {
    const source =
      '/**\n * Adds.\n *\n * ```ts\n * what()\n * ```\n * - `what` is code\n * @returns What is added.\n */'
    const found = measure('a.ts', source)
    expect(found).toMatchObject({ words: 6, sentences: 3 })
    expect(lines(found.openers)).toEqual([8])
  })

  test('a file that does not parse is an error', () => {
    expect(() => measure('a.ts', 'const = 1')).toThrow('a.ts: ')
  })
})

describe('in documentation', () => {
  test('text, headings and cells are read; code, addresses and results of programs are not', () => {
    const source = [
      '# Where [tokens](what.md) are',
      '```ts\nwhat()\n```',
      '| one | What two |\n| --- | --- |',
      '<!-- results: written by `npm run x` -->\nwhat\n<!-- end of the results -->',
      'A stray ` sign.',
      'Another is in `what`\r\nmore text.',
    ].join('\n\n')
    const found = measure('docs/a.md', source)
    expect(found).toMatchObject({ words: 14, sentences: 6 })
    expect(lines(found.whats)).toEqual([7])
    expect(lines(found.openers)).toEqual([1, 7])
  })
})

describe('limits', () => {
  const file = (words: number, whats: number, openers: number, path = 'a.ts') => {
    const places = (length: number) => Array.from({ length }, (_, index) => ({ line: index + 1, text: '' }))
    return { path, words, sentences: words / 10, whats: places(whats), openers: places(openers) }
  }

  test('three in 1,000 words are too many in comments and in documentation', () => {
    expect(complaints('comments', [file(1000, 2, 0)])).toEqual([])
    expect(complaints('docs', [file(1000, 3, 0)])).toEqual([
      'Too many words of docs are "what": expected fewer than 3 in 1000. The worst files:',
      '  a.ts, lines 1, 2, 3',
    ])
  })

  test('two in 100 sentences are too many in comments only', () => {
    expect(complaints('docs', [file(1000, 0, 2)])).toEqual([])
    expect(complaints('comments', [file(1000, 0, 1)])).toEqual([])
    expect(complaints('comments', [file(1000, 0, 2)])[0]).toContain('begin with What, Who or Where')
  })

  test('files count together, and the worst is named first', () => {
    const named = complaints('comments', [file(500, 1, 0, 'one.ts'), file(500, 2, 0, 'two.ts'), file(0, 0, 0, 'no.ts')])
    expect(named.slice(1)).toEqual(['  two.ts, lines 1, 2', '  one.ts, lines 1'])
  })

  test('nothing is fine', () => {
    expect(complaints('comments', [])).toEqual([])
  })
})
