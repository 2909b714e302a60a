/**
 * Attempts to leave the allowed folders. Each trick that works against the original is tried on it as well, so that it is
 * known to be one.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Client } from '@tenon/sdk/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { ok, open, plant, refused, type Sandbox, sandbox, start, startOriginal } from './helpers.ts'

let box: Sandbox
let client: Client

beforeAll(async () => {
  box = sandbox()
  plant(box.allowed, {
    'a.txt': 'inside',
    'sub/b.txt': 'inside too',
    'file-link': `-> ${box.outside}/secret.txt`,
    'folder-link': `-> ${box.outside}`,
    'chain-1': '-> chain-2',
    'chain-2': '-> ../outside/secret.txt',
    loop: '-> loop',
    dangling: `-> ${box.outside}/missing.txt`,
    'dangling-inside': '-> nowhere.txt',
    'proc-link': '-> /proc/self/environ',
    'root-link': '-> /',
    'sub-link': '-> sub',
  })
  // A folder whose name begins like the allowed one.
  plant(`${box.allowed}-not`, { 'secret.txt': 'the secret' })
  client = await open(box)
})

afterAll(async () => {
  await client.close()
  box[Symbol.dispose]()
})

const places = (): string[] => [
  `${box.outside}/secret.txt`,
  `${box.allowed}/../outside/secret.txt`,
  `${box.allowed}/sub/../../outside/secret.txt`,
  `${box.allowed}-not/secret.txt`,
  '../outside/secret.txt',
  'sub/../../outside/secret.txt',
  `${box.allowed}/file-link`,
  `${box.allowed}/folder-link/secret.txt`,
  `${box.allowed}/folder-link/../outside/secret.txt`,
  `${box.allowed}/chain-1`,
  `${box.allowed}/loop`,
  `${box.allowed}/proc-link`,
  `${box.allowed}/root-link/etc/passwd`,
  `${box.allowed}/sub-link/../../outside/secret.txt`,
  `${box.allowed}/a.txt\0`,
  `\0${box.allowed}/a.txt`,
  '/proc/self/environ',
  '/proc/self/cwd/package.json',
  '/dev/zero',
  '~/.ssh/id_rsa',
  '~root/.bashrc',
  `file://${box.allowed}/a.txt`,
  `${box.allowed.toUpperCase()}/a.txt`,
  `${box.allowed}/${'x/'.repeat(3_000)}`,
  `${box.allowed}/${'y'.repeat(300)}`,
  '',
  '/',
  '.',
  '..',
]

const reads: [string, (path: string) => object][] = [
  ['read_text_file', (path) => ({ path })],
  ['read_text_file', (path) => ({ path, head: 1 })],
  ['read_text_file', (path) => ({ path, tail: 1 })],
  ['read_text_file', (path) => ({ path, offset: 0, length: 10 })],
  ['read_media_file', (path) => ({ path })],
  ['edit_file', (path) => ({ path, edits: [{ oldText: 'secret', newText: 'x' }] })],
  ['edit_lines', (path) => ({ path, edits: [{ startLine: 1, endLine: 1, newText: 'x' }] })],
  ['apply_patch', (path) => ({ path, patch: '@@ -1 +1 @@\n-the secret\n+x\n' })],
]

test.each(reads)('%s leaves the folders by no path', async (name, args) => {
  for (const path of places()) {
    const text = await refused(client, name, args(path))
    expect(text, path).not.toContain('the secret')
  }
  expect(readFileSync(join(box.outside, 'secret.txt'), 'utf8')).toBe('the secret')
})

const changes: [string, (path: string) => object][] = [
  ['write_file', (path) => ({ path, content: 'x' })],
  ['create_directory', (path) => ({ path: `${path}/new` })],
  ['delete_file', (path) => ({ path: `${path}/x`, recursive: true })],
  ['move_file', (path) => ({ source: 'a.txt', destination: `${path}/x` })],
  ['move_file', (path) => ({ source: `${path}/secret.txt`, destination: 'b.txt' })],
  ['copy_file', (path) => ({ source: 'a.txt', destination: `${path}/x` })],
  ['copy_file', (path) => ({ source: `${path}/secret.txt`, destination: 'b.txt' })],
  ['list_directory', (path) => ({ path })],
  ['directory_tree', (path) => ({ path })],
  ['search_files', (path) => ({ path, pattern: '**' })],
  ['glob_files', (path) => ({ path, patterns: ['**'] })],
  ['grep_files', (path) => ({ path, pattern: 'secret' })],
  ['get_file_info', (path) => ({ path: `${path}/secret.txt` })],
]

test.each(changes)('%s touches nothing outside', async (name, args) => {
  const folders = [box.outside, `${box.allowed}/folder-link`, `${box.allowed}/../outside`, '../outside', '/etc', '/']
  for (const path of folders) await refused(client, name, args(path))
  expect(readdirSync(box.outside)).toEqual(['secret.txt'])
})

test('nobody learns which files exist outside', async () => {
  symlinkSync(`${box.outside}/secret.txt`, join(box.allowed, 'to-something'))
  symlinkSync(`${box.outside}/nothing.txt`, join(box.allowed, 'to-nothing'))
  const answerTo = async (name: string, path: string): Promise<string> =>
    (await refused(client, name, { path, content: 'x' })).replaceAll(/something|nothing|secret/g, 'NAME')
  for (const name of ['read_text_file', 'get_file_info', 'write_file']) {
    expect(await answerTo(name, 'to-something')).toBe(await answerTo(name, 'to-nothing'))
    expect(await answerTo(name, 'folder-link/secret.txt')).toBe(await answerTo(name, 'folder-link/nothing.txt'))
    expect(await answerTo(name, `${box.outside}/secret.txt`)).toBe(await answerTo(name, `${box.outside}/nothing.txt`))
  }
})

test('links to folders and files inside are followed', async () => {
  expect((await ok(client, 'read_text_file', { path: 'sub-link/b.txt' })).content).toBe('inside too')
  await ok(client, 'write_file', { path: 'sub-link/c.txt', content: 'c' })
  expect(readFileSync(join(box.allowed, 'sub/c.txt'), 'utf8')).toBe('c')
})

test('a walk never enters links', async () => {
  const tree = await ok(client, 'directory_tree', { path: '.' })
  expect(tree.content).not.toContain('secret.txt')
  expect((await ok(client, 'search_files', { path: '.', pattern: '**/secret.txt' })).content).toBe('No matches found')
  expect((await ok(client, 'grep_files', { path: '.', pattern: 'the secret' })).matches).toEqual([])
  await ok(client, 'copy_file', { source: '.', destination: 'sub/copy' }).catch(() => {})
})

test('resources leave the folders by no URI', async () => {
  const uris = [
    `file://${box.outside}/secret.txt`,
    `file://${box.allowed}/../outside/secret.txt`,
    `file://${box.allowed}/%2e%2e/outside/secret.txt`,
    `file://${box.allowed}/..%2foutside/secret.txt`,
    `file://${box.allowed}/file-link`,
    `file://${box.allowed}/a.txt%00`,
    'file:///etc/passwd',
    'file://localhost/etc/passwd',
  ]
  for (const uri of uris) await expect(client.readResource(uri), uri).rejects.toThrow()
  const found = await client.readResource(`file://${box.allowed}/a.txt`)
  expect(found.contents[0]).toMatchObject({ text: 'inside' })
})

describe('special files', requires('posix'), () => {
  test('pipes, sockets and devices are refused at once', async () => {
    execFileSync('mkfifo', [join(box.allowed, 'pipe')])
    const server = createServer().listen(join(box.allowed, 'sock'))
    await once(server, 'listening')
    try {
      for (const path of ['pipe', 'sock']) {
        for (const [name, args] of reads)
          expect(await refused(client, name, args(path))).toContain('device, pipe or socket')
        await refused(client, 'write_file', { path, content: 'x' })
        await refused(client, 'copy_file', { source: path, destination: `${path}-copy` })
      }
      expect((await ok(client, 'grep_files', { path: '.', pattern: 'inside' })).filesSearched).toBeGreaterThan(1)
    } finally {
      server.close()
    }
  })

  test('the original waits for a pipe for ever', async () => {
    using other = sandbox()
    execFileSync('mkfifo', [join(other.allowed, 'pipe')])
    const theirs = await startOriginal([other.allowed])
    const answer = theirs.callTool('read_text_file', { path: join(other.allowed, 'pipe') }, { timeoutMs: 1_000 })
    await expect(answer).rejects.toMatchObject({ code: 'timeout' })
    await theirs.close()
  })

  test('a hard link is never written through, and can be refused', async () => {
    linkSync(join(box.outside, 'secret.txt'), join(box.allowed, 'hard'))
    try {
      // Nothing tells a hard link from the file itself but the count of names.
      expect((await ok(client, 'read_text_file', { path: 'hard' })).content).toBe('the secret')
      await using strict = await open(box, ['--refuse-hard-links'])
      for (const [name, args] of reads) expect(await refused(strict, name, args('hard'))).toContain('has 2 names')
      await refused(strict, 'copy_file', { source: 'hard', destination: 'hard-copy' })
      plant(box.allowed, { 'folder/own.txt': 'own' })
      linkSync(join(box.outside, 'secret.txt'), join(box.allowed, 'folder', 'hard'))
      expect(await refused(strict, 'copy_file', { source: 'folder', destination: 'folder-copy' })).toContain(' names, ')
      expect(existsSync(join(box.allowed, 'folder-copy', 'hard'))).toBe(false)
      expect((await ok(strict, 'grep_files', { path: '.', pattern: 'the secret' })).matches).toEqual([])
      await ok(client, 'write_file', { path: 'hard', content: 'mine' })
      expect(readFileSync(join(box.outside, 'secret.txt'), 'utf8')).toBe('the secret')
      expect(readFileSync(join(box.allowed, 'hard'), 'utf8')).toBe('mine')
    } finally {
      await ok(client, 'delete_file', { path: 'hard' })
    }
  })
})

test('a walk that takes too long is stopped', async () => {
  const many = Array.from({ length: 3_000 }, (_, index) => [`deep/${index}/x`, ''])
  plant(box.allowed, Object.fromEntries(many))
  await using hurried = await open(box, ['--max-time', '1ms'])
  expect(await refused(hurried, 'search_files', { path: 'deep', pattern: '**' })).toContain('--max-time')
  expect(await refused(hurried, 'directory_tree', { path: 'deep' })).toContain('--max-time')
})

test('patterns of strangers end', async () => {
  plant(box.allowed, { 'long.txt': `${'a'.repeat(40)}!` })
  await using quick = await open(box, ['--max-time', '300ms'])
  expect(await refused(quick, 'grep_files', { path: '.', pattern: '^(a+)+$' })).toContain('was stopped')
  expect((await ok(client, 'grep_files', { path: '.', pattern: 'a+!' })).matches).toHaveLength(1)
  const stars = `${'*a'.repeat(200)}b`
  expect((await ok(client, 'search_files', { path: '.', pattern: stars })).content).toBe('No matches found')
  expect(await refused(client, 'search_files', { path: '.', pattern: '{a,b}'.repeat(20) })).toContain('alternatives')
  expect(await refused(client, 'search_files', { path: '.', pattern: '+(a|b)' })).toContain('extended group')
})

/**
 * A process that swaps a folder and a link to the outside, and a file and a link to the outside, as fast as it can: the
 * victim is one or the other at any moment, so that whoever checks a name and then uses it loses sooner or later.
 */
const swapper = `
  const fs = require('node:fs')
  const [allowed, outside] = process.argv.slice(1)
  const swap = (name, target) => {
    const [real, link] = [allowed + '/.real-' + name, allowed + '/.link-' + name]
    fs.renameSync(allowed + '/' + name, real)
    fs.symlinkSync(target, link)
    fs.renameSync(link, allowed + '/' + name)
    fs.unlinkSync(allowed + '/' + name)
    fs.renameSync(real, allowed + '/' + name)
  }
  process.stdout.write('swapping')
  // Whatever becomes of its parent, it comes to an end.
  for (const end = Date.now() + 120_000; Date.now() < end; ) {
    try { swap('victim', outside) } catch {}
    try { swap('victim.txt', outside + '/secret.txt') } catch {}
  }
`

interface Attack {
  /** Texts that came from outside. */
  leaked: number
  /** Files that appeared outside. */
  written: string[]
  /** Calls that found the link. */
  refusals: number
}

async function attack(
  target: Client,
  box: Sandbox,
  fewest: number,
  enough: (attack: Attack) => boolean,
): Promise<Attack> {
  plant(box.allowed, { 'victim/secret.txt': 'harmless', 'victim.txt': 'harmless' })
  const child = spawn(process.execPath, ['-e', swapper, box.allowed, box.outside], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  const result: Attack = { leaked: 0, written: [], refusals: 0 }
  const { allowed, outside } = box
  const names = new Set((await target.listTools()).tools.map(({ name }) => name))
  const call = async (name: string, args: object): Promise<void> => {
    if (!names.has(name)) return
    const { text, isError } = await target.callTool(name, args as never)
    if (isError && text.includes('Access denied')) result.refusals++
    // A refusal repeats the words of the question.
    if (!isError && (text.includes('the secret') || text.includes('only-outside'))) result.leaked++
  }
  try {
    for (let round = 0; round < fewest || !enough(result); round++) {
      const victim = `${allowed}/victim`
      await Promise.all([
        call('read_text_file', { path: `${victim}.txt` }),
        call('read_text_file', { path: `${victim}/secret.txt` }),
        call('read_media_file', { path: `${victim}/secret.txt` }),
        call('read_text_file', { path: `${victim}/secret.txt`, tail: 2 }),
        call('read_multiple_files', { paths: [`${victim}/secret.txt`, `${victim}.txt`] }),
        call('list_directory', { path: victim }),
        call('directory_tree', { path: allowed }),
        call('search_files', { path: allowed, pattern: '**/only-outside' }),
        // It starts a thread each time, which would slow down the rest.
        ...(round % 10 === 0 ? [call('grep_files', { path: allowed, pattern: 'the secret' })] : []),
        call('glob_files', { path: allowed, patterns: ['**/only-outside'], sortBy: 'size' }),
        call('write_file', { path: `${victim}/new-${round}.txt`, content: 'x' }),
        call('write_file', { path: `${victim}/secret.txt`, content: 'harmless' }),
        call('edit_file', { path: `${victim}/secret.txt`, edits: [{ oldText: 'the secret', newText: 'x' }] }),
        call('create_directory', { path: `${victim}/made-${round}` }),
        call('move_file', { source: `${allowed}/m-${round}`, destination: `${victim}/moved-${round}` }),
        call('copy_file', { source: `${allowed}/a.txt`, destination: `${victim}/copied-${round}` }),
        call('delete_file', { path: `${victim}/only-outside` }),
        call('delete_file', { path: `${victim}/made-${round - 1}` }),
      ])
      result.written = readdirSync(outside).filter((name) => name !== 'secret.txt' && name !== 'only-outside')
    }
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return result
}

describe('a process that swaps links', requires('linux', 'proc'), () => {
  const prepare = (): Sandbox => {
    const box = sandbox()
    plant(box.allowed, { 'a.txt': 'inside' })
    plant(box.outside, { 'only-outside': 'x' })
    return box
  }

  test('gets nothing in or out', async () => {
    using box = prepare()
    await using target = await open(box, ['--undo-memory', '1kB'])
    // The link was there at least as often as it was refused; on a busy machine it takes a while until it is.
    const result = await attack(target, box, 60, ({ refusals }) => refusals > 0)
    expect(result).toMatchObject({ leaked: 0, written: [] })
    expect(readFileSync(join(box.outside, 'secret.txt'), 'utf8')).toBe('the secret')
    expect(existsSync(join(box.outside, 'only-outside'))).toBe(true)
  })

  test('succeeds against the original', async () => {
    using box = prepare()
    await using target = await startOriginal([box.allowed])
    const won = (attack: Attack): boolean => attack.leaked > 0 || attack.written.length > 0
    expect(await attack(target, box, 0, won)).toSatisfy(won)
  })
})

test('roots over HTTP cannot widen the folders', async () => {
  const child = spawn(process.execPath, [(await import('./helpers.ts')).bin, '--http', '127.0.0.1:0', box.allowed], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  try {
    const [line] = (await once(child.stderr, 'data')) as [Buffer]
    const url = /http:\/\/\S+mcp/.exec(line.toString())![0]
    const { connect } = await import('@tenon/sdk/client')
    for (const revision of ['2025-11-25', '2026-07-28'] as const) {
      await using remote = await connect(url, { roots: [{ uri: `file://${box.outside}` }], revisions: [revision] })
      expect(await refused(remote, 'read_text_file', { path: `${box.outside}/secret.txt` })).toContain('Access denied')
      expect((await ok(remote, 'read_text_file', { path: 'a.txt' })).content).toBe('inside')
    }
  } finally {
    child.kill()
    await once(child, 'exit')
  }
})

test('roots at the end of a pipe can be kept from widening them', async () => {
  const roots = [{ uri: `file://${box.outside}` }]
  for (const way of ['narrow', 'ignore']) {
    await using narrow = await start(['--roots', way, box.allowed], { roots })
    await refused(narrow, 'read_text_file', { path: `${box.outside}/secret.txt` })
  }
  mkdirSync(join(box.allowed, 'inner'))
  writeFileSync(join(box.allowed, 'inner/i.txt'), 'i')
  await using inner = await start(['--roots', 'narrow', box.allowed], {
    roots: [{ uri: `file://${box.allowed}/inner` }],
  })
  expect((await ok(inner, 'read_text_file', { path: 'i.txt' })).content).toBe('i')
  await refused(inner, 'read_text_file', { path: `${box.allowed}/a.txt` })
})
