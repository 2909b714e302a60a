import { describe, expect, test } from 'vitest'
import type { ServerView, TimelineEntry } from '../src/protocol.ts'
import { asCurl, asTenon } from '../src/timeline/copy-as.ts'
import { pictureUrl } from '../ui/content/data-url.ts'
import { looksLikeMarkdown, parseInline, parseMarkdown } from '../ui/content/markdown.ts'
import { visible } from '../ui/content/visible.ts'
import { joinWords, splitWords } from '../ui/servers/words.ts'
import { search } from '../ui/state/search.ts'

describe('Markdown', () => {
  test('has headings, lists, code, tables, quotes and rules', () => {
    const text =
      '# Title\n\nSome **bold** text\n\n- one\n- two\n  - inner\n\n```js\n<b>\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> said\n\n---'
    expect(parseMarkdown(text).map(({ kind }) => kind)).toEqual([
      'heading',
      'paragraph',
      'list',
      'code',
      'table',
      'quote',
      'rule',
    ])
  })

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    '//evil.example',
    'file:///etc/passwd',
  ])('a link to %s stays text', (href) =>
    expect(parseInline(`[click](${href})`)).toEqual([{ kind: 'text', text: `[click](${href})` }]),
  )

  test('HTML is text, and pictures are not loaded', () => {
    expect(parseMarkdown('<img src=x onerror=alert(1)>')).toEqual([
      { kind: 'paragraph', children: [{ kind: 'text', text: '<img src=x onerror=alert(1)>' }] },
    ])
    expect(parseInline('![a](https://evil.example/p.png)')).toEqual([
      { kind: 'image', alt: 'a', src: 'https://evil.example/p.png' },
    ])
  })

  test.each([
    '*'.repeat(500_000),
    '['.repeat(500_000),
    '`'.repeat(500_000),
    '> '.repeat(200_000),
    '- '.repeat(200_000),
    '_a'.repeat(300_000),
    // In linear time a fraction of a second; otherwise minutes, and the test is out of time.
  ])('hostile input of any length ends', (text) => expect(parseMarkdown(text)).toBeDefined())

  test('plain text is not taken for it', () => {
    expect(looksLikeMarkdown('Just a sentence, with 2 * 3 = 6.')).toBe(false)
    expect(looksLikeMarkdown('# Title\n\ntext')).toBe(true)
  })
})

describe('text of servers', () => {
  test('escape sequences, direction marks, tags and zero-width characters can be seen', () => {
    expect(visible('\u001b[31mred\u001b[0m')).toBe('␛[31mred␛[0m')
    expect(visible('a\u202eb\u200bc\u{e0041}')).toBe('a⟨U+202E⟩b⟨U+200B⟩c⟨U+E0041⟩')
    expect(visible('line\r\nnext\ttab')).toBe('line\nnext\ttab')
    expect(visible('👨‍👩‍👧 ❤️ é 日本')).toBe('👨‍👩‍👧 ❤️ é 日本')
  })

  test('only pictures become pictures, and only from Base64', () => {
    expect(pictureUrl('iVBORw0=', 'image/png')).toBe('data:image/png;base64,iVBORw0=')
    for (const type of ['text/html', 'image/png,<script>', 'application/pdf', '']) {
      expect(pictureUrl('AAAA', type)).toBeUndefined()
    }
    expect(pictureUrl('"><script>', 'image/png')).toBeUndefined()
  })
})

describe('a command line', () => {
  test.each([
    ['npx -y server .', ['npx', '-y', 'server', '.']],
    [`a "b c" 'd "e"' f\\ g ""`, ['a', 'b c', 'd "e"', 'f g', '']],
    ['C:\\node\\node.exe x', ['C:\\node\\node.exe', 'x']],
    ['  ', []],
    ['a;b $(c) | d', ['a;b', '$(c)', '|', 'd']],
  ])('%s', (line, words) => expect(splitWords(line)).toEqual(words))

  test('joined words split into the same words', () => {
    const words = ['a', '', 'b c', `it's`, '"q"', 'x\\y', '$HOME']
    expect(splitWords(joinWords(words))).toEqual(words)
  })
})

test('search finds all words, beginnings first', () => {
  const items = ['read_file', 'file_search', 'write', 'profile']
  expect(search(items, 'file', (item) => [item])).toEqual(['file_search', 'read_file', 'profile'])
  expect(search(items, 'file read', (item) => [item])).toEqual(['read_file'])
})

describe('a request for a terminal', () => {
  const entry = (params: object): TimelineEntry => ({
    id: 1,
    server: 's',
    at: 0,
    from: 'client',
    kind: 'request',
    method: 'tools/call',
    bytes: 0,
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    text: '',
  })
  const view = (spec: ServerView['spec']): ServerView => ({
    id: 's',
    spec,
    status: 'connected',
    since: 0,
    watched: [],
    revision: '2026-07-28',
  })

  test('is one command, whatever a server has named its tool', () => {
    const spec = { kind: 'command' as const, name: 's', command: 'node', args: ['my server.js'] }
    expect(asTenon(entry({ name: `x'; rm -rf ~ #`, arguments: {}, _meta: { secret: 1 } }), view(spec))).toBe(
      `tenon call 'x'\\''; rm -rf ~ #' '{}' --revision 2026-07-28 -- node 'my server.js'`,
    )
  })

  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }

  test('as curl sends a header without a value as curl wants it', () => {
    const spec = { kind: 'url' as const, name: 's', url: 'https://example.com/mcp' }
    const inputSchema = { properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } }
    const line = asCurl(entry({ name: 'add', arguments: { region: '' }, _meta }), view(spec), { inputSchema })
    expect(line).toContain(`-H 'Mcp-Param-Region;'`)
  })

  test('as curl has the headers of its revision, and no secrets', () => {
    const spec = {
      kind: 'url' as const,
      name: 's',
      url: 'https://example.com/mcp?a=1&b=2',
      headers: { Authorization: '••••••••' },
    }
    const line = asCurl(entry({ name: 'add', arguments: { a: "it's" }, _meta }), view(spec))
    expect(line).toContain(`'https://example.com/mcp?a=1&b=2'`)
    expect(line).toContain(`-H 'Mcp-Method: tools/call'`)
    expect(line).toContain(`-H 'Authorization: …'`)
    expect(line).toContain(`it'\\''s`)
    expect(line).not.toContain('Mcp-Session-Id')
  })
})
