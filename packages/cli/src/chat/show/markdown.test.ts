import { describe, expect, test } from 'vitest'
import { coloured, plain } from '../../terminal/style.ts'
import { MarkdownStream } from './markdown.ts'

const marks = new Map([
  ['1', '<b>'],
  ['22', '</>'],
  ['2', '<dim>'],
  ['36', '<c>'],
  ['39', '</>'],
])

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
const readable = (text: string): string => text.replace(/\u001b\[(\d+)m/g, (_all, code: string) => marks.get(code)!)

/** The output for a text that arrives in pieces of a size. */
function rendered(text: string, size = Infinity, style = coloured): string {
  const stream = new MarkdownStream(style)
  let shown = ''
  for (let at = 0; at < text.length; at += size) shown += stream.write(text.slice(at, at + size))
  return readable(`${shown}${stream.end()}`)
}

const cases: [string, string][] = [
  ['# Weather\nText', '<b>Weather</>\nText'],
  ['a **bold** word', 'a <b>bold</> word'],
  ['2 ** 3 and 2*3*4', '2 ** 3 and 2*3*4'],
  ['run `npm ci` now', 'run <c>npm ci</> now'],
  ['- one\n  * two\n3. three', '• one\n  • two\n3. three'],
  ['> quoted', '<dim>│</> quoted'],
  ['see [the page](https://example.com/a)', 'see <c>the page</> <dim>(https://example.com/a)</>'],
  ['[1] and [x] (y)', '[1] and [x] (y)'],
  ['```js\na **b**\n```\nend', '<dim>```js\n</><c>a **b**</>\n<dim>```\n</>end'],
  ['a \\*\\*star', 'a **star'],
  ['an **open mark\nnext', 'an <b>open mark</>\nnext'],
]

describe('Markdown', () => {
  test.each(cases)('%j', (source, shown) => {
    expect(rendered(source)).toBe(shown)
  })

  test('pieces of any size show the same characters', () => {
    const all = `${cases.map(([source]) => source).join('\n\n')}\n👩‍🚀 نص\r\nend`
    const whole = rendered(all).replace(/<\/><(?:b|c|dim)>|<[^>]*>/g, '')
    for (const size of [1, 2, 3, 7]) expect(rendered(all, size).replace(/<[^>]*>/g, ''), `${size}`).toBe(whole)
  })

  test('only characters that could still change are held back', () => {
    const stream = new MarkdownStream(coloured)
    const shown = (text: string): string => readable(String(stream.write(text)))
    expect(shown('It is ')).toBe('It is ')
    expect(shown('*')).toBe('')
    expect(shown('*')).toBe('')
    expect(shown('so')).toBe('<b>so</>')
    expect(shown('**.')).toBe('.')
    expect(shown(' [a](http')).toBe(' ')
    expect(shown('://x) b')).toBe('<c>a</> <dim>(http://x)</> b')
  })

  test('text cannot command the terminal, in whichever piece it arrives', () => {
    const evil = '\u001b[2J`\u001b]0;x\u0007`\n```\n\u009b31m\n```\n[\u001b[31m](https://x/\u202e)\u200b'
    for (const size of [1, 2, 5, 100]) {
      const stream = new MarkdownStream(coloured)
      let shown = ''
      for (let at = 0; at < evil.length; at += size) shown += stream.write(evil.slice(at, at + size))
      shown += String(stream.end())
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
      const text = shown.replace(/\u001b\[(?:1|2|22|36|39)m/g, '')
      expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202e\u200b]/u)
    }
  })

  test('without colours the text stays as it was written', () => {
    expect(rendered('# a **b** `c` [d](e)\n', 1, plain)).toBe('# a **b** `c` [d](e)\n')
  })
})
