import {
  chmodSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@tenon/sdk/client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { type Answer, ok, open, plant, refused, type Sandbox, sandbox } from './helpers.ts'

let box: Sandbox
let client: Client
let folder: string

beforeAll(async () => {
  box = sandbox()
  client = await open(box)
})

afterAll(async () => {
  await client.close()
  box[Symbol.dispose]()
})

let count = 0
beforeEach(() => {
  folder = join(box.allowed, `test-${++count}`)
  mkdirSync(folder)
})

const at = (name: string): string => join(folder, name)
const contents = (name: string): string => readFileSync(at(name), 'utf8')
const edit = (path: string, oldText: string, newText: string, more: object = {}): object => ({
  path: at(path),
  edits: [{ oldText, newText }],
  ...more,
})

describe('reading', () => {
  test('a range of lines, and where it goes on', async () => {
    plant(folder, { 'n.txt': Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join('\n') })
    expect(await ok(client, 'read_text_file', { path: at('n.txt'), startLine: 10, endLine: 11 })).toMatchObject({
      content: 'line 10\nline 11',
      startLine: 10,
      endLine: 11,
      truncated: false,
    })
    expect((await ok(client, 'read_text_file', { path: at('n.txt'), startLine: 99 })).content).toBe('line 99\nline 100')
    expect((await ok(client, 'read_text_file', { path: at('n.txt'), tail: 2 })).content).toBe('line 99\nline 100')
    expect((await ok(client, 'read_text_file', { path: at('n.txt'), startLine: 500 })).content).toBe('')
    await refused(client, 'read_text_file', { path: at('n.txt'), startLine: 5, endLine: 4 })
    await refused(client, 'read_text_file', { path: at('n.txt'), startLine: 5, tail: 4 })
  })

  test('a long file comes in parts that make up the whole', async () => {
    const text = Array.from({ length: 3_000 }, (_, index) => `line ${index} äöü`).join('\n')
    plant(folder, { 'long.txt': text })
    await using small = await open(box, ['--max-read', '10kB'])
    const parts: string[] = []
    for (let startLine: unknown = 1; startLine !== undefined; ) {
      const part = await ok(small, 'read_text_file', { path: at('long.txt'), startLine })
      parts.push(part.content)
      startLine = part.nextLine
    }
    expect(parts.length).toBeGreaterThan(3)
    expect(parts.join('\n')).toBe(text)
    const { content } = await small.callTool('read_text_file', { path: at('long.txt') })
    expect(content.map(({ type }) => type)).toEqual(['text', 'text', 'resource_link'])
  })

  test('ranges of bytes never cut characters', async () => {
    const text = 'aä漢🙂'.repeat(50)
    plant(folder, { 'c.txt': text })
    let read = ''
    for (let offset: unknown = 0; offset !== undefined; ) {
      const part = await ok(client, 'read_text_file', { path: at('c.txt'), offset, length: 7 })
      read += part.content
      offset = part.nextOffset
    }
    expect(read).toBe(text)
  })

  test('a file of 10 GB is read in ranges', requires('posix'), async () => {
    const descriptor = openSync(at('huge'), 'w')
    const size = 10 * 1024 ** 3
    writeSync(descriptor, 'first\nsecond\n', 0)
    ftruncateSync(descriptor, size)
    writeSync(descriptor, '\nlast but one\nlast\n', size)
    expect((await ok(client, 'read_text_file', { path: at('huge'), head: 2 })).content).toBe('first\nsecond')
    expect((await ok(client, 'read_text_file', { path: at('huge'), tail: 2 })).content).toBe('last but one\nlast')
    const slice = await ok(client, 'read_text_file', { path: at('huge'), offset: size + 1, length: 8 })
    expect(slice).toMatchObject({ content: 'last but', size: size + 19, nextOffset: size + 9 })
    expect(await refused(client, 'read_text_file', { path: at('huge'), startLine: 3 })).toContain('binary file')
    expect(await refused(client, 'read_media_file', { path: at('huge') })).toContain('--max-media')
    expect(await refused(client, 'edit_file', edit('huge', 'first', '1'))).toContain('can be edited')
    expect((await ok(client, 'get_file_info', { path: at('huge') })).size).toBe(size + 19)
  })

  test('byte order marks and UTF-16 are understood', async () => {
    plant(folder, {
      'bom.txt': '\uFEFFhello',
      'wide.txt': Buffer.from('\uFEFFhällo\r\nyou', 'utf16le'),
    })
    expect(await ok(client, 'read_text_file', { path: at('bom.txt') })).toMatchObject({ content: 'hello', bom: true })
    const wide = await ok(client, 'read_text_file', { path: at('wide.txt') })
    expect(wide).toMatchObject({ content: 'hällo\r\nyou', encoding: 'utf-16le', lineEnding: 'crlf' })
  })

  test('several files share one limit', async () => {
    plant(folder, { a: 'a'.repeat(600), b: 'b'.repeat(600), c: 'c', d: Buffer.from([0]) })
    await using small = await open(box, ['--max-read', '1kB'])
    const paths = ['a', 'b', 'c', 'd'].map(at)
    const { files } = await ok(small, 'read_multiple_files', { paths })
    expect(files).toMatchObject([{}, {}, { error: expect.stringContaining('filled the answer') }, { error: /./ }])
  })
})

describe('editing', () => {
  test('line endings, byte order mark and mode stay', async () => {
    plant(folder, { 'w.txt': '\uFEFFone\r\ntwo\r\nthree\r\n', 'mixed.txt': 'one\r\ntwo\nthree\r\nfour\n' })
    chmodSync(at('w.txt'), 0o750)
    await ok(client, 'edit_file', edit('w.txt', 'one\ntwo', '1\n2\n2b'))
    expect(contents('w.txt')).toBe('\uFEFF1\r\n2\r\n2b\r\nthree\r\n')
    expect(statSync(at('w.txt')).mode & 0o777).toBe(0o750)
    await ok(client, 'edit_file', edit('mixed.txt', 'three', '3'))
    expect(contents('mixed.txt')).toBe('one\r\ntwo\n3\r\nfour\n')
  })

  test('UTF-16 stays UTF-16, and other encodings are not damaged', async () => {
    plant(folder, { 'le.txt': Buffer.from('\uFEFFhällo', 'utf16le'), 'latin1.txt': Buffer.from('h\xe4llo', 'latin1') })
    await ok(client, 'edit_file', edit('le.txt', 'hällo', 'bye'))
    expect(readFileSync(at('le.txt')).toString('utf16le')).toBe('\uFEFFbye')
    expect(await refused(client, 'edit_file', edit('latin1.txt', 'llo', 'x'))).toContain('not valid UTF-8')
  })

  test('an ambiguous edit is refused with its places, unless all are meant', async () => {
    plant(folder, { 'a.txt': 'x\ny\nx\nz\nx\n' })
    expect(await refused(client, 'edit_file', edit('a.txt', 'x', '1'))).toContain('occurs 3 times, on lines 1, 3, 5')
    expect(contents('a.txt')).toBe('x\ny\nx\nz\nx\n')
    await ok(client, 'edit_file', { path: at('a.txt'), edits: [{ oldText: 'x', newText: '1', replaceAll: true }] })
    expect(contents('a.txt')).toBe('1\ny\n1\nz\n1\n')
  })

  test('if one edit fails, none is made', async () => {
    plant(folder, { 'a.txt': 'one two' })
    const edits = [
      { oldText: 'one', newText: '1' },
      { oldText: 'three', newText: '3' },
    ]
    await refused(client, 'edit_file', { path: at('a.txt'), edits })
    expect(contents('a.txt')).toBe('one two')
  })

  test('whitespace is ignored only when asked, and the indentation follows', async () => {
    plant(folder, { 'a.py': 'def f():\n    if x:\n        return 1\n' })
    const loose = ['if x:\n    return 1', 'if x:\n    return 2'] as const
    expect(await refused(client, 'edit_file', edit('a.py', ...loose))).toContain('Line 2 on differs in whitespace only')
    await ok(client, 'edit_file', edit('a.py', ...loose, { ignoreWhitespace: true }))
    expect(contents('a.py')).toBe('def f():\n    if x:\n    return 2\n'.replace('    return', '        return'))
    plant(folder, { 'b.py': ' x\n  x\n' })
    const text = await refused(client, 'edit_file', edit('b.py', 'x\n', 'y\n', { ignoreWhitespace: true }))
    expect(text).toContain('on lines 1, 2')
  })

  test('ranges of lines', async () => {
    plant(folder, { 'a.txt': '1\n2\n3\n4' })
    const lines = (startLine: number, endLine: number, newText: string): object => ({ startLine, endLine, newText })
    const edits = [lines(1, 1, 'one'), lines(3, 2, 'between'), lines(4, 4, '')]
    await ok(client, 'edit_lines', { path: at('a.txt'), edits })
    expect(contents('a.txt')).toBe('one\n2\nbetween\n3\n')
    await ok(client, 'edit_lines', { path: at('a.txt'), edits: [lines(5, 4, 'end')] })
    expect(contents('a.txt')).toBe('one\n2\nbetween\n3\nend\n')
    expect(await refused(client, 'edit_lines', { path: at('a.txt'), edits: [lines(2, 9, '')] })).toContain('≤ 5')
    const overlap = [lines(1, 3, 'a'), lines(3, 4, 'b')]
    expect(await refused(client, 'edit_lines', { path: at('a.txt'), edits: overlap })).toContain('overlap')
  })

  test('patches, where they say or in the only place that fits', async () => {
    plant(folder, { 'a.txt': 'a\r\nb\r\nc\r\nd\r\ne\r\n' })
    const patch = '--- a/x\n+++ b/x\n@@ -2,2 +2,3 @@\n b\n-c\n+C\n+C2\n@@ -5,1 +6,0 @@\n-e\n'
    await ok(client, 'apply_patch', { path: at('a.txt'), patch })
    expect(contents('a.txt')).toBe('a\r\nb\r\nC\r\nC2\r\nd\r\n')
    await ok(client, 'apply_patch', { path: at('a.txt'), patch: '@@ -1,1 +1,1 @@\n-d\n+D\n' })
    expect(contents('a.txt')).toBe('a\r\nb\r\nC\r\nC2\r\nD\r\n')
    plant(folder, { 'twice.txt': 'x\ny\nx\n' })
    const moved = { path: at('twice.txt'), patch: '@@ -2,1 +2,1 @@\n-x\n+X\n' }
    expect(await refused(client, 'apply_patch', moved)).toContain('fits on lines 1, 3')
    expect(await refused(client, 'apply_patch', { ...moved, patch: '@@ -1 +1 @@\n-q\n+Q\n' })).toContain('fits nowhere')
    expect(await refused(client, 'apply_patch', { ...moved, patch: 'x' })).toContain('hunks')
  })

  test('a diff that git made is applied as git applies it', async () => {
    plant(folder, { 'a.txt': 'one\ntwo\n' })
    await ok(client, 'apply_patch', { path: at('a.txt'), patch: '@@ -2,0 +3,2 @@\n+three\n+four\n' })
    expect(contents('a.txt')).toBe('one\ntwo\nthree\nfour\n')
    await ok(client, 'apply_patch', { path: at('a.txt'), patch: '@@ -0,0 +1 @@\n+zero\n' })
    expect(contents('a.txt')).toBe('zero\none\ntwo\nthree\nfour\n')
  })

  test('ifMatch keeps what the caller has not seen', async () => {
    plant(folder, { 'a.txt': 'one' })
    const { hash } = await ok(client, 'read_text_file', { path: at('a.txt') })
    writeFileSync(at('a.txt'), 'someone was here')
    for (const [name, args] of [
      ['write_file', { path: at('a.txt'), content: 'x', ifMatch: hash }],
      ['edit_file', edit('a.txt', 'someone', 'x', { ifMatch: hash })],
      ['edit_lines', { path: at('a.txt'), edits: [{ startLine: 1, endLine: 1, newText: '' }], ifMatch: hash }],
      ['write_file', { path: at('a.txt'), content: 'x', ifMatch: 'absent' }],
    ] as const) {
      expect(await refused(client, name, args)).toContain('Nothing was changed')
    }
    const seen = await ok(client, 'get_file_info', { path: at('a.txt') })
    const { hash: next } = await ok(client, 'write_file', { path: at('a.txt'), content: 'mine', ifMatch: seen.hash })
    await ok(client, 'write_file', { path: at('a.txt'), content: 'again', ifMatch: next })
    await ok(client, 'write_file', { path: at('b.txt'), content: 'new', ifMatch: 'absent' })
    expect(contents('a.txt') + contents('b.txt')).toBe('againnew')
  })

  test('of many edits with the same hash one wins', async () => {
    plant(folder, { 'a.txt': 'start' })
    const { hash } = await ok(client, 'read_text_file', { path: at('a.txt') })
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        client.callTool('write_file', { path: at('a.txt'), content: `${index}`, ifMatch: hash as string }),
      ),
    )
    expect(all.filter(({ isError }) => !isError)).toHaveLength(1)
    expect(readdirSync(folder)).toEqual(['a.txt'])
  })

  test('parallel edits of one file are all made', async () => {
    plant(folder, { 'a.txt': Array.from({ length: 20 }, (_, index) => `<${index}>`).join('\n') })
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => ok(client, 'edit_file', edit('a.txt', `<${index}>`, `${index}`))),
    )
    expect(contents('a.txt')).toBe(Array.from({ length: 20 }, (_, index) => `${index}`).join('\n'))
  })
})

describe('moving, copying, deleting, undoing', () => {
  test('a file and a folder are copied, with modes and links', async () => {
    plant(folder, { 'd/a.sh': '#!', 'd/e/b.txt': 'b', 'd/link': '-> a.sh' })
    chmodSync(at('d/a.sh'), 0o755)
    await ok(client, 'copy_file', { source: at('d'), destination: at('copy') })
    expect(readFileSync(at('copy/e/b.txt'), 'utf8')).toBe('b')
    expect(statSync(at('copy/a.sh')).mode & 0o777).toBe(0o755)
    await ok(client, 'copy_file', { source: at('d/a.sh'), destination: at('b.sh') })
    expect(statSync(at('b.sh')).mode & 0o777).toBe(0o755)
    expect(await refused(client, 'copy_file', { source: at('d'), destination: at('copy') })).toContain('already exists')
    expect(await refused(client, 'copy_file', { source: at('d'), destination: at('d/x') })).toContain('into itself')
  })

  test('a deleted file is in the trash, in the layout of desktops, and comes back', async () => {
    plant(folder, { 'a b.txt': 'precious', 'd/x': '' })
    const { trashed } = await ok(client, 'delete_file', { path: at('a b.txt') })
    expect(existsSync(at('a b.txt'))).toBe(false)
    expect(readFileSync(trashed as string, 'utf8')).toBe('precious')
    const info = readdirSync(join(box.trash, 'info')).find((name) => name.startsWith('a b.txt'))!
    expect(readFileSync(join(box.trash, 'info', info), 'utf8')).toContain(`Path=${at('a%20b.txt')}\n`)
    await ok(client, 'undo_changes', {})
    expect(contents('a b.txt')).toBe('precious')
    expect(await refused(client, 'delete_file', { path: at('d') })).toContain('Set recursive')
    await ok(client, 'delete_file', { path: at('d'), recursive: true })
    await ok(client, 'undo_changes', {})
    expect(existsSync(at('d/x'))).toBe(true)
    await refused(client, 'delete_file', { path: box.allowed, recursive: true })
  })

  test('the last changes are taken back, the newest first', async () => {
    plant(folder, { 'a.txt': 'original' })
    chmodSync(at('a.txt'), 0o640)
    await ok(client, 'edit_file', edit('a.txt', 'original', 'changed'))
    await ok(client, 'write_file', { path: at('b.txt'), content: 'new' })
    await ok(client, 'create_directory', { path: at('x/y') })
    await ok(client, 'move_file', { source: at('b.txt'), destination: at('x/y/b.txt') })
    await ok(client, 'copy_file', { source: at('a.txt'), destination: at('c.txt') })
    expect((await ok(client, 'list_changes', {})).content).toContain('copied')
    expect((await ok(client, 'undo_changes', { count: 5 })).undone).toHaveLength(5)
    expect(readdirSync(folder)).toEqual(['a.txt'])
    expect(contents('a.txt')).toBe('original')
    expect(statSync(at('a.txt')).mode & 0o777).toBe(0o640)
  })

  test('a change is not taken back over the work of others', async () => {
    plant(folder, { 'a.txt': 'one' })
    const { change } = await ok(client, 'write_file', { path: at('a.txt'), content: 'two' })
    writeFileSync(at('a.txt'), 'three')
    expect(await refused(client, 'undo_changes', { change })).toContain('changed by someone else')
    await ok(client, 'undo_changes', { change, force: true })
    expect(contents('a.txt')).toBe('one')
    expect(await refused(client, 'undo_changes', { change })).toContain('no such change')
  })

  test('memory for undo is bounded', async () => {
    plant(folder, { 'a.txt': 'x'.repeat(5_000) })
    await using small = await open(box, ['--undo-memory', '2kB'])
    expect(await ok(small, 'write_file', { path: at('a.txt'), content: 'y' })).not.toHaveProperty('change')
    for (let index = 0; index < 20; index++) await ok(small, 'write_file', { path: at(`n${index}`), content: '' })
    expect((await ok(small, 'list_changes', {})).changes).toHaveLength(4)
  })
})

describe('finding', () => {
  beforeEach(() => {
    plant(folder, {
      'src/a.ts': 'const a = 1\n// TODO: later\nexport { a }\n',
      'src/b.js': 'todo()\r\nnot here\r\n',
      'src/.hidden.ts': 'TODO',
      'node_modules/x/index.ts': 'TODO',
      'bin.dat': Buffer.from('TODO\0TODO'),
    })
  })

  const lines = ({ matches }: Answer): string[] =>
    (matches as { path: string; line: number }[]).map(({ path, line }) => `${path.slice(folder.length + 1)}:${line}`)

  test('grep by pattern and by text, with context', async () => {
    const found = await ok(client, 'grep_files', { path: folder, pattern: 'TODO', exclude: ['**/node_modules'] })
    expect(lines(found)).toEqual(['src/.hidden.ts:1', 'src/a.ts:2'])
    expect(found).toMatchObject({ filesSkipped: 1, filesWithMatches: 2, truncated: false })
    const context = await ok(client, 'grep_files', {
      path: at('src/a.ts'),
      pattern: '\\bto.o\\b',
      ignoreCase: true,
      context: 1,
    })
    expect(context.content.replaceAll(folder, '')).toBe(
      '/src/a.ts-1-const a = 1\n/src/a.ts:2:// TODO: later\n/src/a.ts-3-export { a }',
    )
    const only = { path: folder, pattern: 'todo()', literal: true, ignoreCase: true, include: ['**/*.js'] }
    expect(lines(await ok(client, 'grep_files', only))).toEqual(['src/b.js:1'])
    expect(lines(await ok(client, 'grep_files', { ...only, pattern: 'here$', literal: false }))).toEqual(['src/b.js:2'])
    expect(await ok(client, 'grep_files', { path: folder, pattern: 'TODO', limit: 1 })).toMatchObject({
      truncated: true,
    })
    expect(await refused(client, 'grep_files', { path: folder, pattern: '(' })).toContain('Set literal')
  })

  test('grep finds lines on both sides of the border of a piece', async () => {
    const filler = `${'x'.repeat(99)}\n`.repeat(50_000)
    plant(folder, { 'big.txt': `${filler}needle 1\n${filler}needle 2` })
    const found = await ok(client, 'grep_files', { path: at('big.txt'), pattern: 'needle \\d' })
    expect(lines(found)).toEqual(['big.txt:50001', 'big.txt:100002'])
  })

  test('globs, the newest first', async () => {
    const found = await ok(client, 'glob_files', {
      path: folder,
      patterns: ['**/*.{ts,js}'],
      exclude: ['node_modules'],
    })
    expect(found.content.replaceAll(`${folder}/`, '').split('\n')).toEqual(['src/.hidden.ts', 'src/a.ts', 'src/b.js'])
    const largest = await ok(client, 'glob_files', { path: folder, patterns: ['src/?.*'], sortBy: 'size', limit: 1 })
    expect(largest).toMatchObject({ files: [{ path: at('src/a.ts'), size: 40 }], total: 2, truncated: true })
  })

  test('long lists have pages', async () => {
    plant(folder, Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`many/${index}`, ''])))
    await using small = await open(box, ['--max-items', '10'])
    const found: string[] = []
    for (let offset: unknown = 0; offset !== undefined; ) {
      const part = await ok(small, 'list_directory', { path: at('many'), offset })
      found.push(...part.content.split('\n'))
      offset = part.nextOffset
    }
    expect(new Set(found).size).toBe(25)
    expect(await ok(small, 'directory_tree', { path: at('many') })).toMatchObject({ entries: 10, truncated: true })
    expect(await ok(small, 'search_files', { path: at('many'), pattern: '*' })).toMatchObject({
      total: 25,
      nextOffset: 10,
    })
  })
})
