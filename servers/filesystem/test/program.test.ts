import { execFile } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { connect, revisions } from '@tenon/sdk/client'
import { expect, test } from 'vitest'
import { createFilesystemServer } from '../src/filesystem-server.ts'
import { bin, ok, open, plant, refused, root, sandbox, start } from './helpers.ts'

interface Run {
  code: number
  stdout: string
  stderr: string
}

const run = (command: string, args: string[]): Promise<Run> =>
  new Promise((resolve) => {
    const child = execFile(command, args, { cwd: root }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
    child.stdin?.end()
  })

const uriOf = (path: string): string => pathToFileURL(path).href

test.each(revisions)('the process speaks %s', async (revision) => {
  using box = sandbox()
  plant(box.allowed, { 'a.txt': 'one' })
  await using client = await open(box, [], { revisions: [revision] })
  expect(client.server.revision).toBe(revision)
  const read = await client.callTool('read_text_file', { path: 'a.txt' })
  expect(read.text).toBe('one')
  await client.callTool('write_file', { path: 'b.txt', content: 'two' })
  await client.callTool('undo_changes', {})
  expect((await client.callTool('list_directory', { path: '.' })).text).toBe('[FILE] a.txt')
  const { contents } = await client.readResource(uriOf(join(box.allowed, 'a.txt')))
  expect(contents[0]).toMatchObject({ text: 'one', mimeType: 'text/plain' })
})

test.each(revisions)('the roots of the client replace the folders: %s', async (revision) => {
  using box = sandbox()
  plant(box.allowed, { 'a.txt': 'one' })
  const roots = [{ uri: uriOf(box.outside) }, { uri: uriOf(join(box.base, 'missing')) }]
  await using client = await open(box, [], { revisions: [revision], roots })
  const list = await client.callTool('list_allowed_directories', {})
  expect(list.text).toBe(`Allowed directories:\n${box.outside}`)
  expect(await refused(client, 'read_text_file', { path: join(box.allowed, 'a.txt') })).toContain('Access denied')
  expect((await client.callTool('read_text_file', { path: 'secret.txt' })).text).toBe('the secret')
})

test('roots that change are followed', async () => {
  using box = sandbox()
  plant(box.allowed, { 'a.txt': 'one' })
  await using client = await start([], { roots: [{ uri: uriOf(box.outside) }] })
  expect((await ok(client, 'read_text_file', { path: 'secret.txt' })).content).toBe('the secret')
  await client.setRoots([{ uri: uriOf(box.allowed) }])
  await expect.poll(async () => (await client.callTool('read_text_file', { path: 'a.txt' })).text).toBe('one')
  await refused(client, 'read_text_file', { path: join(box.outside, 'secret.txt') })
})

test('without roots the folders of the command line stay, and without any of both a call says what to do', async () => {
  using box = sandbox()
  await using empty = await open(box, [], { roots: [] })
  expect((await ok(empty, 'list_allowed_directories', {})).directories).toEqual([box.allowed])
  await using none = await start([])
  expect(await refused(none, 'list_directory', { path: '/' })).toContain('Start this server with the folders')
})

test('several folders, links to them, and relative paths', async () => {
  using box = sandbox()
  plant(box.base, { 'one/a.txt': 'a', 'two/b.txt': 'b', link: '-> two' })
  await using client = await start([join(box.base, 'one'), join(box.base, 'link')])
  expect((await ok(client, 'read_text_file', { path: 'b.txt' })).content).toBe('b')
  expect((await ok(client, 'read_text_file', { path: join(box.base, 'link/b.txt') })).content).toBe('b')
  expect((await ok(client, 'read_text_file', { path: join(box.base, 'two/b.txt') })).content).toBe('b')
  expect((await ok(client, 'write_file', { path: 'c.txt', content: '' })).path).toBe(join(box.base, 'one/c.txt'))
})

test('a mistake is one line and exit code 2', async () => {
  using box = sandbox()
  plant(box.allowed, { 'a.txt': '' })
  const missing = await run(process.execPath, [bin, join(box.base, 'missing')])
  expect(missing).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('missing does not exist') })
  expect((await run(process.execPath, [bin, join(box.allowed, 'a.txt')])).stderr).toContain('is not a folder')
  expect(await run(process.execPath, [bin, '--roots', 'maybe'])).toMatchObject({ code: 2 })
  const some = await run(process.execPath, [bin, box.allowed, join(box.base, 'missing')])
  expect(some).toMatchObject({ code: 0, stderr: expect.stringContaining('it is left out') })
})

test('npx finds the command from the root of the repository', async () => {
  const { stdout } = await run('npx', ['tenon-filesystem', '--help'])
  expect(stdout).toContain('Usage: tenon-filesystem [options] FOLDER...')
})

test('with --read-only nothing that changes files exists', async () => {
  using box = sandbox()
  await using client = await open(box, ['--read-only'])
  const names: string[] = []
  for await (const { name, annotations } of client.tools()) {
    names.push(name)
    expect(annotations?.readOnlyHint).toBe(true)
  }
  expect(names).toContain('grep_files')
  expect(names).not.toContain('write_file')
})

test('with --confirm the user is asked before files are overwritten or deleted', async () => {
  using box = sandbox()
  plant(box.allowed, { 'a.txt': 'one' })
  const asked: string[] = []
  const elicit = ({ message }: { message: string }): { action: 'decline' } => {
    asked.push(message)
    return { action: 'decline' }
  }
  await using client = await open(box, ['--confirm'], { elicit })
  expect(await refused(client, 'write_file', { path: 'a.txt', content: 'x' })).toContain('Nothing was changed')
  expect(await refused(client, 'delete_file', { path: 'a.txt' })).toContain('Nothing was changed')
  await ok(client, 'create_directory', { path: 'new' })
  expect(asked).toHaveLength(2)
  expect((await ok(client, 'read_text_file', { path: 'a.txt' })).content).toBe('one')
})

test('every tool has a title, a description, an output schema and all annotations', async () => {
  using box = sandbox()
  await using client = await open(box)
  for await (const { name, title, description, outputSchema, annotations } of client.tools()) {
    expect({ name, title, description, outputSchema }).toEqual({
      name,
      title: expect.any(String),
      description: expect.any(String),
      outputSchema: expect.any(Object),
    })
    expect(Object.keys(annotations ?? {}).sort(), name).toEqual(
      ['destructiveHint', 'idempotentHint', 'openWorldHint', 'readOnlyHint'].sort(),
    )
  }
  expect(client.server.info?.icons?.[0]?.src).toMatch(/^data:image\/svg/)
})

test('files are listed, completed and read as resources', async () => {
  using box = sandbox()
  plant(box.allowed, { 'a b.md': '# hi', 'alpha/x.txt': 'x', 'pic.png': Buffer.from([0, 1]) })
  await using client = await open(box)
  const found: string[] = []
  for await (const { uri } of client.resources()) found.push(uri)
  expect(found).toEqual([uriOf(box.allowed), uriOf(join(box.allowed, 'a b.md')), uriOf(join(box.allowed, 'pic.png'))])
  const markdown = await client.readResource(found[1]!)
  expect(markdown.contents[0]).toMatchObject({ text: '# hi', mimeType: 'text/markdown' })
  expect((await client.readResource(found[2]!)).contents[0]).toMatchObject({ mimeType: 'image/png', blob: 'AAE=' })
  expect((await client.readResource(found[0]!)).contents[0]).toMatchObject({ text: 'a b.md\nalpha/\npic.png' })
  const complete = async (typed: string): Promise<string[]> => {
    const ref = { type: 'ref/resource', uri: 'file:///{+path}' } as const
    return (await client.complete(ref, { name: 'path', value: typed })).values
  }
  const base = `${box.allowed.slice(1)}/`
  expect(await complete(base.slice(0, -3))).toEqual([base])
  expect(await complete(`${base}a`)).toEqual([`${base}a b.md`, `${base}alpha/`])
  expect(await complete('etc/pass')).toEqual([])
})

test.each(revisions)('changes of files and folders reach subscribers: %s', async (revision) => {
  using box = sandbox()
  plant(box.allowed, { 'a.txt': 'one', 'link.txt': `-> ${box.outside}/secret.txt` })
  await using client = await open(box, [], { revisions: [revision] })
  const seen = new Set<string>()
  const watch = async (path: string): Promise<unknown> =>
    client.watch(uriOf(path), ({ uri }) => seen.add(uri)).catch(() => undefined)
  await watch(join(box.allowed, 'a.txt'))
  await watch(join(box.allowed, 'later.txt'))
  await watch(box.allowed)
  await watch(join(box.outside, 'secret.txt'))
  await watch(join(box.allowed, 'link.txt'))
  // A subscription of 2026-07-28 that follows another takes its place a moment later, so that a change may come too early.
  const write = (path: string): void => writeFileSync(path, `${Math.random()}`)
  const changes = [join(box.outside, 'secret.txt'), join(box.allowed, 'a.txt'), join(box.allowed, 'later.txt')]
  const wanted = [uriOf(box.allowed), uriOf(join(box.allowed, 'a.txt')), uriOf(join(box.allowed, 'later.txt'))]
  await expect
    .poll(() => {
      for (const path of changes) write(path)
      return [...seen].sort()
    })
    .toEqual(wanted)
  await client.callTool('delete_file', { path: 'a.txt' })
  await expect.poll(() => [...seen].sort()).toEqual(wanted)
})

test('a library makes the server without a process', async () => {
  const folder = realpathSync(join(tmpdir()))
  mkdirSync(join(folder, 'library-test'), { recursive: true })
  writeFileSync(join(folder, 'library-test', 'a.txt'), 'hello')
  await using client = await connect(createFilesystemServer({ folders: [join(folder, 'library-test')] }))
  expect((await client.callTool('read_text_file', { path: 'a.txt' })).text).toBe('hello')
})
