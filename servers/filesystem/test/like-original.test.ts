/** Starts the server that this one replaces, and compares: every tool, every parameter, and the results of the same calls. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@tenon/sdk/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { open, plant, type Sandbox, sandbox, startOriginal } from './helpers.ts'

let ours: Client
let theirs: Client
let mine: Sandbox
let other: Sandbox

beforeAll(async () => {
  mine = sandbox()
  other = sandbox()
  for (const { allowed } of [mine, other]) {
    plant(allowed, {
      'a.txt': 'one\ntwo\nthree\n',
      'crlf.txt': 'one\r\ntwo\r\n',
      'letters/é.txt': 'accents: äöü 漢字 🙂',
      'sub/deep/x.md': '# x',
      'sub/y.ts': 'export {}',
      'pixel.png': Buffer.from('89504e470d0a1a0a', 'hex'),
      'data.bin': Buffer.from([0, 1, 2, 255]),
      'inner-link': '-> sub/y.ts',
      'outer-link': `-> ${join(mine.outside, 'secret.txt')}`,
    })
  }
  ours = await open(mine)
  theirs = await startOriginal([other.allowed])
})

afterAll(async () => {
  await ours.close()
  await theirs.close()
  mine[Symbol.dispose]()
  other[Symbol.dispose]()
})

async function toolsOf(client: Client): Promise<Map<string, { inputSchema: Schema; outputSchema?: Schema }>> {
  const found = new Map()
  for await (const tool of client.tools()) found.set(tool.name, tool)
  return found
}

interface Schema {
  properties?: { [name: string]: Schema }
  required?: string[]
  items?: Schema
  type?: string
}

/** The parameters of a schema and of the objects in its lists: name, type, and whether they are needed. */
function parametersOf({ properties = {}, required = [], items }: Schema, path = ''): string[] {
  const own = Object.entries(properties).flatMap(([name, schema]) => {
    // A whole number of lines is all that can be asked for; the other server says "number".
    const type = schema.type === 'integer' ? 'number' : schema.type
    return [`${path}${name}: ${type}${required.includes(name) ? '' : '?'}`, ...parametersOf(schema, `${path}${name}.`)]
  })
  return [...own, ...(items === undefined ? [] : parametersOf(items, path))]
}

test('every tool of the original is there with every parameter, and none that it does not know is needed', async () => {
  const own = await toolsOf(ours)
  for (const [name, tool] of await toolsOf(theirs)) {
    expect([...own.keys()]).toContain(name)
    const mineHas = parametersOf(own.get(name)!.inputSchema)
    const wanted = parametersOf(tool.inputSchema)
    expect(mineHas).toEqual(expect.arrayContaining(wanted))
    expect(mineHas.filter((one) => !wanted.includes(one) && !one.endsWith('?'))).toEqual([])
    expect(Object.keys(own.get(name)!.outputSchema?.properties ?? {})).toContain('content')
  }
})

test('annotations say as much as those of the original, and never promise more', async () => {
  const own = new Map<string, object>()
  for await (const { name, annotations } of ours.tools()) own.set(name, annotations!)
  for await (const { name, annotations } of theirs.tools()) expect(own.get(name)).toMatchObject(annotations!)
})

/** Both results of a call, with the folder of each as `DIR`. */
async function both(name: string, args: object): Promise<[ours: object, theirs: object]> {
  const results = await Promise.all(
    [[ours, mine] as const, [theirs, other] as const].map(async ([client, box]) => {
      const given = JSON.parse(JSON.stringify(args).replaceAll('DIR', box.allowed))
      const { content, isError, structured } = await client.callTool(name, given)
      const text = JSON.stringify({ content, isError, structured: (structured as { content?: unknown })?.content })
      return JSON.parse(text.replaceAll(box.base, 'BASE').replaceAll(encodeURI(box.base), 'BASE')) as object
    }),
  )
  return results as [object, object]
}

const same: [string, object][] = [
  ['read_text_file', { path: 'DIR/a.txt' }],
  ['read_file', { path: 'DIR/a.txt' }],
  ['read_text_file', { path: 'DIR/letters/é.txt' }],
  ['read_text_file', { path: 'DIR/letters/é.txt' }],
  ['read_text_file', { path: 'DIR/inner-link' }],
  ['read_text_file', { path: 'a.txt' }],
  ['read_text_file', { path: 'DIR/sub/../a.txt' }],
  ['read_text_file', { path: 'DIR/crlf.txt' }],
  ['read_text_file', { path: 'DIR/a.txt', head: 2 }],
  ['read_text_file', { path: 'DIR/a.txt', head: 20 }],
  ['read_text_file', { path: 'DIR/a.txt', head: 1, tail: 1 }],
  ['read_media_file', { path: 'DIR/pixel.png' }],
  ['read_media_file', { path: 'DIR/data.bin' }],
  ['read_multiple_files', { paths: ['DIR/a.txt', 'DIR/sub/y.ts'] }],
  ['list_directory', { path: 'DIR/sub' }],
  ['list_directory_with_sizes', { path: 'DIR/sub' }],
  ['list_directory_with_sizes', { path: 'DIR/sub', sortBy: 'size' }],
  ['directory_tree', { path: 'DIR/sub' }],
  ['directory_tree', { path: 'DIR/sub', excludePatterns: ['deep'] }],
  ['search_files', { path: 'DIR', pattern: '**/*.ts' }],
  ['search_files', { path: 'DIR', pattern: '*.ts' }],
  [
    'search_files',
    { path: 'DIR', pattern: '**/*', excludePatterns: ['sub', '*.bin', 'letters/**', 'outer-link', '*.txt'] },
  ],
  ['write_file', { path: 'DIR/new.txt', content: 'hello' }],
  ['write_file', { path: 'DIR/new.txt', content: 'hello again' }],
  ['read_text_file', { path: 'DIR/new.txt' }],
  ['edit_file', { path: 'DIR/a.txt', edits: [{ oldText: 'two', newText: '2' }], dryRun: true }],
  ['edit_file', { path: 'DIR/a.txt', edits: [{ oldText: 'two', newText: '2' }] }],
  ['edit_file', { path: 'DIR/a.txt', edits: [{ oldText: 'three', newText: '```\n$& $1' }] }],
  ['read_text_file', { path: 'DIR/a.txt' }],
  ['create_directory', { path: 'DIR/p/q/r' }],
  ['create_directory', { path: 'DIR/p/q/r' }],
  ['move_file', { source: 'DIR/new.txt', destination: 'DIR/p/moved.txt' }],
  ['directory_tree', { path: 'DIR/p' }],
  ['list_allowed_directories', {}],
]

test('the same calls have the same results', async () => {
  for (const [name, args] of same) {
    const [own, its] = await both(name, args)
    expect(own, `${name} ${JSON.stringify(args)}`).toEqual(sortedLike(name, its))
  }
})

/** Searches of the original come in the order of the disk, ours by name. */
function sortedLike(name: string, result: object): object {
  if (name !== 'search_files') return result
  return JSON.parse(
    JSON.stringify(result).replace(
      /"(BASE[^"]*)"/g,
      (_all, lines: string) => `"${lines.split('\\n').sort().join('\\n')}"`,
    ),
  ) as object
}

const alsoRefused: [string, object][] = [
  ['read_text_file', { path: 'DIR/missing.txt' }],
  ['read_text_file', { path: 'DIR/../outside/secret.txt' }],
  ['read_text_file', { path: '/etc/passwd' }],
  ['read_text_file', { path: 'DIR/outer-link' }],
  ['read_text_file', { path: 'DIR/a.txt\0.png' }],
  ['read_text_file', { path: 'C:\\Users\\a.txt' }],
  ['read_text_file', { path: 'DIR' }],
  ['write_file', { path: 'DIR/missing/a.txt', content: '' }],
  ['write_file', { path: 'DIR/../outside/new.txt', content: '' }],
  ['edit_file', { path: 'DIR/a.txt', edits: [{ oldText: 'not there', newText: '' }] }],
  ['move_file', { source: 'DIR/a.txt', destination: 'DIR/crlf.txt' }],
  ['move_file', { source: 'DIR/missing.txt', destination: 'DIR/b.txt' }],
  ['list_directory', { path: 'DIR/a.txt' }],
]

test('whatever the original refuses is refused', async () => {
  for (const [name, args] of alsoRefused) {
    const results = await both(name, args)
    expect(
      results.map((result) => 'isError' in result && result.isError),
      `${name} ${JSON.stringify(args)}`,
    ).toEqual([true, true])
  }
})

const differences: [name: string, call: string, args: object, ours: RegExp, theirs: RegExp][] = [
  ['the last lines', 'read_text_file', { path: 'DIR/a.txt', tail: 1 }, /"text":"\$& \$1"/, /"text":""/],
  ['binary files', 'read_text_file', { path: 'DIR/data.bin' }, /is a binary file/, /\\u0000/],
  [
    'ambiguous edits',
    'edit_file',
    { path: 'DIR/crlf.txt', edits: [{ oldText: 'o', newText: '0' }], dryRun: true },
    /occurs 2 times, on lines 1, 2/,
    /\+0ne/,
  ],
  [
    'whitespace',
    'edit_file',
    { path: 'DIR/sub/y.ts', edits: [{ oldText: '  export {}  ', newText: 'x' }], dryRun: true },
    /set ignoreWhitespace/,
    /\+x/,
  ],
  ['missing files in an edit', 'edit_file', { path: 'DIR/no', edits: [] }, /Use write_file/, /ENOENT/],
  [
    'sizes behind links',
    'list_directory_with_sizes',
    { path: 'DIR' },
    /outer-link {21}(?! *10 B)/,
    /outer-link {21} *10 B/,
  ],
]

test.each(differences)('a difference on purpose: %s', async (_name, call, args, own, its) => {
  const [mine, other] = await both(call, args)
  expect(JSON.stringify(mine)).toMatch(own)
  expect(JSON.stringify(other)).toMatch(its)
})

test('a difference on purpose: an edit keeps the line endings', async () => {
  await both('edit_file', { path: 'DIR/crlf.txt', edits: [{ oldText: 'one\ntwo', newText: '1\n2' }] })
  expect(readFileSync(join(mine.allowed, 'crlf.txt'), 'utf8')).toBe('1\r\n2\r\n')
  expect(readFileSync(join(other.allowed, 'crlf.txt'), 'utf8')).toBe('1\n2\n')
})

test('a difference on purpose: moving a link moves the link', async () => {
  await both('move_file', { source: 'DIR/inner-link', destination: 'DIR/moved-link' })
  expect(readFileSync(join(mine.allowed, 'sub/y.ts'), 'utf8')).toBe('export {}')
  expect(() => readFileSync(join(other.allowed, 'sub/y.ts'), 'utf8')).toThrow('ENOENT')
})
