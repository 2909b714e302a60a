import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CommandSpec, ServerView, Snapshot, UrlSpec } from '../src/protocol.ts'
import { hidden } from '../src/protocol-servers.ts'
import { everything, TestBench } from './workbench-in-test.suite.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-kept-'))
})
afterEach(() => rm(folder, { recursive: true }))

const open = (options: Parameters<typeof TestBench.open>[0] = {}): Promise<TestBench> =>
  TestBench.open({ folder, ...options })

const snapshotOf = (bench: TestBench): Promise<Snapshot> =>
  bench.until((event) => (event.type === 'snapshot' ? event.snapshot : undefined))

const serversOf = async (bench: TestBench): Promise<ServerView[]> => (await snapshotOf(bench)).servers

const namesOf = async (bench: TestBench): Promise<string[]> => (await serversOf(bench)).map(({ spec }) => spec.name)

const listed = async (): Promise<{ [member: string]: unknown }> =>
  JSON.parse(await readFile(join(folder, 'servers.json'), 'utf8'))

/** A program that says hello and stays. */
const program: CommandSpec = {
  kind: 'command',
  name: 'program',
  command: process.execPath,
  args: ['-e', 'process.stdin.resume()'],
  env: { API_KEY: 'value-of-the-variable' },
  cwd: tmpdir(),
}
const remote: UrlSpec = {
  kind: 'url',
  name: 'remote',
  url: 'http://127.0.0.1:9/mcp',
  headers: { 'X-Key': 'value-of-the-header' },
  oauth: { clientId: 'me', clientSecret: 'value-of-the-client-secret' },
  roots: [{ uri: 'file:///tmp' }],
  timeoutMs: 5_000,
  maxMessageBytes: 32_000_000,
  revision: '2025-06-18',
}
const secrets = /value-of-the-(?:variable|header|client-secret|password|model)/

describe('servers that a person adds', () => {
  test('are there after a restart, not connected, with everything that was said about them', async () => {
    {
      await using bench = await open()
      await bench.run('server.add', { spec: program })
      await bench.run('server.add', { spec: remote })
    }
    await using bench = await open()
    const servers = await serversOf(bench)
    expect(servers).toMatchObject([
      { kept: true, status: 'idle', spec: { name: 'program' } },
      { kept: true, status: 'idle', spec: { name: 'remote' } },
    ])
    const revealed = await Promise.all(servers.map(({ id }) => bench.run('server.reveal', { server: id })))
    expect(revealed.map(({ spec }) => spec)).toEqual([program, remote])
  })

  const named = 'one that never connected is not kept; names are those that servers say, numbered when they are alike'
  test(named, { timeout: 120_000 }, async () => {
    const statuses = async (bench: TestBench): Promise<string[]> =>
      (await serversOf(bench)).map(({ spec, status }) => `${spec.name} ${status}`)
    {
      await using bench = await open()
      const { server: typo } = await bench.run('server.add', { spec: { ...remote, name: 'typo', oauth: false } })
      await bench.run('server.connect', { server: typo })
      await expect.poll(() => statuses(bench)).toEqual(['typo failed'])
      await expect.poll(async () => (await listed()).servers).toEqual([])
      for (const _ of ['first', 'second']) {
        const { server } = await bench.run('server.add', { spec: { ...everything, name: 'node', autoName: true } })
        const { challenge } = await bench.run('server.connect', { server })
        if (challenge !== undefined) await bench.run('server.confirm', { challenge: challenge.id })
      }
      await expect
        .poll(() => statuses(bench), { timeout: 100_000 })
        .toEqual(['typo failed', 'Everything connected', 'Everything 2 connected'])
      await expect.poll(async () => JSON.stringify(await listed())).toContain('Everything 2')
    }
    await using bench = await open()
    expect(await namesOf(bench)).toEqual(['Everything', 'Everything 2'])
  })

  test('have no secret in the list, and the files are for this person only', async () => {
    await using bench = await open()
    await bench.run('server.add', { spec: program })
    await bench.run('server.add', { spec: { ...remote, url: 'http://ada:value-of-the-password@127.0.0.1:9/mcp' } })
    const text = await readFile(join(folder, 'servers.json'), 'utf8')
    expect(text).not.toMatch(secrets)
    expect(text).not.toContain('ada:')
    expect(text).not.toContain('ada@')
    expect(JSON.parse(text)).toMatchObject({
      version: 1,
      servers: [
        { name: 'program', env: ['API_KEY'] },
        { url: 'http://127.0.0.1:9/mcp', userinfo: true, headers: ['X-Key'], oauth: { clientSecret: true } },
      ],
    })
    for (const file of ['servers.json', 'tokens.json']) {
      expect((await stat(join(folder, file))).mode & 0o777, file).toBe(0o600)
    }
    // Nothing that was only needed for writing stays.
    expect((await readdir(folder)).toSorted()).toEqual(['servers.json', 'tokens.json'])
  })

  test('a URL with a password comes back with it, and the page does not see it', async () => {
    const url = 'http://ada:value-of-the-password@127.0.0.1:9/mcp'
    {
      await using bench = await open()
      await bench.run('server.add', { spec: { kind: 'url', name: 'remote', url } })
    }
    await using bench = await open()
    const [server] = await serversOf(bench)
    expect(JSON.stringify(server)).not.toMatch(secrets)
    expect(await bench.run('server.reveal', { server: server!.id })).toMatchObject({ spec: { url } })
    // Nor does it get lost when the page sends back the shown specification.
    await bench.run('server.update', { server: server!.id, spec: server!.spec })
    expect(await bench.run('server.reveal', { server: server!.id })).toMatchObject({ spec: { url } })
  })

  test('a URL with secrets in its query comes back with them; neither the list nor the page has them', async () => {
    const base = 'http://127.0.0.1:9/mcp'
    const url = `${base}?page=1&api_key=value-of-the-password&key=value-of-the-variable#there`
    {
      await using bench = await open()
      await bench.run('server.add', { spec: { kind: 'url', name: 'remote', url } })
    }
    const text = await readFile(join(folder, 'servers.json'), 'utf8')
    expect(text).not.toMatch(secrets)
    expect(JSON.parse(text)).toMatchObject({
      servers: [{ url: `${base}?page=1&api_key=&key=#there`, query: ['api_key', 'key'] }],
    })
    {
      await using bench = await open()
      const [server] = await serversOf(bench)
      expect(server).not.toHaveProperty('missing')
      expect(JSON.stringify(server)).not.toMatch(secrets)
      const { id: known, spec } = server!
      expect(await bench.run('server.reveal', { server: known })).toMatchObject({ spec: { url } })
      // The page sends back the shown specification, also with another part of the URL changed.
      await bench.run('server.update', { server: known, spec })
      expect(await bench.run('server.reveal', { server: known })).toMatchObject({ spec: { url } })
      const shown = (spec as { url: string }).url
      const changed = { ...spec, url: shown.replace('page=1', 'page=2') } as typeof spec
      await bench.run('server.update', { server: known, spec: changed })
      const revealed = await bench.run('server.reveal', { server: known })
      expect(revealed).toMatchObject({ spec: { url: url.replace('page=1', 'page=2') } })
      // Another origin gets nothing.
      await bench.run('server.update', {
        server: known,
        spec: { ...spec, url: shown.replace(':9/', ':10/') } as typeof spec,
      })
      expect(JSON.stringify(await bench.run('server.reveal', { server: known }))).not.toMatch(secrets)
      await bench.run('server.update', { server: known, spec: { ...spec, url } as typeof spec })
    }
    await rm(join(folder, 'tokens.json'))
    await using bench = await open()
    expect(await serversOf(bench)).toMatchObject([{ missing: ['api_key in the URL', 'key in the URL'] }])
  })

  test('secrets that are missing are still missing after another name and a restart', async () => {
    const url = 'http://ada:value-of-the-password@127.0.0.1:9/mcp?api_key=value-of-the-variable'
    const missing = ['X-Key', 'the secret of the client', 'the user and password of the URL', 'api_key in the URL']
    {
      await using bench = await open()
      const { server } = await bench.run('server.add', { spec: { ...remote, url } })
      await bench.run('kept.forgetSecrets', {})
      await bench.run('list.rename', { server, name: 'renamed' })
    }
    await using bench = await open()
    expect(await serversOf(bench)).toMatchObject([{ spec: { name: 'renamed' }, missing }])
  })

  test('a secret that stands in a URL of the list goes into the store, and the server still has it', async () => {
    const url = 'http://127.0.0.1:9/mcp?token=value-of-the-password'
    const entry = { id: 'a', name: 'remote', kind: 'url', url, note: 'mine' }
    await writeFile(join(folder, 'servers.json'), JSON.stringify({ version: 1, servers: [entry] }))
    for (const time of ['first', 'second']) {
      await using bench = await open()
      const [server] = await serversOf(bench)
      expect(await bench.run('server.reveal', { server: server!.id }), time).toMatchObject({ spec: { url } })
      const text = await readFile(join(folder, 'servers.json'), 'utf8')
      expect(text).not.toMatch(secrets)
      expect(JSON.parse(text).servers).toMatchObject([{ query: ['token'], note: 'mine' }])
      expect((await stat(join(folder, 'tokens.json'))).mode & 0o777).toBe(0o600)
    }
  })

  test('a change, another name and other roots are kept too', async () => {
    {
      await using bench = await open()
      const { server } = await bench.run('server.add', { spec: remote })
      await bench.run('server.update', {
        server,
        spec: { kind: 'url', name: 'remote', url: remote.url, headers: { 'X-Key': hidden, 'X-More': 'more' } },
      })
      await bench.run('list.rename', { server, name: 'renamed' })
      await bench.run('server.setRoots', { server, roots: [{ uri: 'file:///srv' }] })
    }
    await using bench = await open()
    const [server] = await serversOf(bench)
    expect((await bench.run('server.reveal', { server: server!.id })).spec).toEqual({
      kind: 'url',
      name: 'renamed',
      url: remote.url,
      headers: { 'X-Key': 'value-of-the-header', 'X-More': 'more' },
      roots: [{ uri: 'file:///srv' }],
    })
  })

  test('the order can be changed, and stays', async () => {
    {
      await using bench = await open()
      const ids: string[] = []
      for (const name of ['a', 'b', 'c']) {
        ids.push((await bench.run('server.add', { spec: { ...remote, name } })).server)
      }
      await bench.run('list.move', { server: ids[2]!, by: -1 })
      await bench.run('list.move', { server: ids[0]!, by: -1 })
      expect(await namesOf(bench)).toEqual(['a', 'c', 'b'])
    }
    await using bench = await open()
    expect(await namesOf(bench)).toEqual(['a', 'c', 'b'])
  })

  test('one that was removed is gone with its secrets, and can be brought back with them', async () => {
    {
      await using bench = await open()
      const { server } = await bench.run('server.add', { spec: program })
      await bench.run('server.add', { spec: remote })
      await bench.run('server.remove', { server })
      expect(await readFile(join(folder, 'tokens.json'), 'utf8')).not.toContain('value-of-the-variable')
      expect((await listed()).servers).toMatchObject([{ name: 'remote' }])
      const { server: back } = await bench.run('list.restore', { server })
      await expect(bench.run('list.restore', { server })).rejects.toThrow('cannot be brought back')
      expect(await namesOf(bench)).toEqual(['program', 'remote'])
      expect(await bench.run('server.reveal', { server: back })).toEqual({ spec: program })
    }
    await using bench = await open()
    expect(await namesOf(bench)).toEqual(['program', 'remote'])
  })

  test('the same server in another revision is kept below the first', async () => {
    {
      await using bench = await open()
      const { server } = await bench.run('server.add', { spec: program })
      await bench.run('server.add', { spec: remote })
      await bench.run('list.duplicate', { server, revision: '2025-03-26' })
      const { server: newest } = await bench.run('list.duplicate', { server, revision: null })
      await bench.run('list.duplicate', { server: newest })
    }
    await using bench = await open()
    expect(await namesOf(bench)).toEqual([
      'program',
      'program (newest)',
      'program (newest) 2',
      'program (2025-03-26)',
      'remote',
    ])
    const servers = await serversOf(bench)
    expect(servers.map(({ spec }) => spec.revision)).toEqual([
      undefined,
      undefined,
      undefined,
      '2025-03-26',
      '2025-06-18',
    ])
    const copy = await bench.run('server.reveal', { server: servers[3]!.id })
    expect(copy.spec).toEqual({ ...program, name: 'program (2025-03-26)', revision: '2025-03-26' })
  })
})

describe('a program that is kept', () => {
  test('is not started by itself; what was agreed to is not asked again, also after a restart', async () => {
    {
      await using bench = await open()
      const { server } = await bench.run('server.add', { spec: program })
      const { challenge } = await bench.run('server.connect', { server })
      await bench.run('server.confirm', { challenge: challenge!.id })
    }
    // Nothing else is remembered of the agreement than a hash, and not where others may write.
    expect(JSON.stringify(await listed())).not.toMatch(/[\da-f]{64}/)
    await using bench = await open()
    const [server] = await serversOf(bench)
    expect(server!.status).toBe('idle')
    expect(await bench.run('server.connect', { server: server!.id })).toEqual({})
  })

  test.each([
    ['an argument', { args: ['-e', 'process.exit(3)'] }],
    ['a folder', { cwd: '/' }],
    ['a variable', { env: ['API_KEY', 'NODE_OPTIONS'] }],
  ])('whose list was changed by others has to be agreed to again: %s', async (_what, change) => {
    {
      await using bench = await open()
      const { server } = await bench.run('server.add', { spec: program })
      const { challenge } = await bench.run('server.connect', { server })
      await bench.run('server.confirm', { challenge: challenge!.id })
    }
    const content = await listed()
    const [entry] = content.servers as object[]
    await writeFile(join(folder, 'servers.json'), JSON.stringify({ ...content, servers: [{ ...entry, ...change }] }))
    await using bench = await open()
    const [server] = await serversOf(bench)
    if ('env' in change) {
      expect(server!.missing).toEqual(['NODE_OPTIONS'])
      await bench.run('server.update', { server: server!.id, spec: server!.spec })
    }
    expect(await bench.run('server.connect', { server: server!.id })).toHaveProperty('challenge')
  })

  test('shows no secret in its confirmation that the page has not seen before', async () => {
    {
      await using bench = await open()
      const { server } = await bench.run('server.add', { spec: program })
      expect((await bench.run('server.connect', { server })).challenge?.env).toEqual(program.env)
    }
    await using bench = await open()
    const [server] = await serversOf(bench)
    const { challenge } = await bench.run('server.connect', { server: server!.id })
    expect(challenge?.env).toEqual({ API_KEY: hidden })
  })

  test('cannot be set to start with the workbench; a server at a URL can', async () => {
    {
      await using bench = await open()
      const [one, other] = [
        (await bench.run('server.add', { spec: program })).server,
        (await bench.run('server.add', { spec: remote })).server,
      ]
      await expect(bench.run('kept.atStart', { server: one, on: true })).rejects.toThrow('started by a person')
      await bench.run('kept.atStart', { server: other, on: true })
    }
    await using bench = await open()
    const failed = await bench.until((event) => {
      const servers = event.type === 'snapshot' ? event.snapshot.servers : event.type === 'server' ? [event.server] : []
      return servers.find(({ status }) => status === 'failed')
    })
    expect(failed).toMatchObject({ atStart: true, spec: { name: 'remote' } })
    expect((await serversOf(bench))[0]).toMatchObject({ status: 'idle' })
  })
})

describe('headers that are kept', () => {
  test('do not follow a list that others have changed to another origin', async () => {
    {
      await using bench = await open()
      await bench.run('server.add', { spec: remote })
    }
    const text = await readFile(join(folder, 'servers.json'), 'utf8')
    await writeFile(join(folder, 'servers.json'), text.replace('127.0.0.1:9', '127.0.0.1:10'))
    await using bench = await open()
    const [server] = await serversOf(bench)
    expect(server!.missing).toEqual(['X-Key', 'the secret of the client'])
    await expect(bench.run('server.connect', { server: server!.id })).rejects.toThrow('not known any more: X-Key')
    expect(JSON.stringify(await bench.run('server.reveal', { server: server!.id }))).not.toMatch(secrets)
  })
})

describe('servers that were given', () => {
  test('are not kept unless the person says so, and then are there once', async () => {
    const given = { ...program, env: { API_KEY: 'value-of-the-variable' } }
    {
      await using bench = await open({ servers: [given], connect: false })
      const [server] = await serversOf(bench)
      expect(server!.kept).toBeUndefined()
      expect(await readdir(folder)).toEqual([])
      await bench.run('kept.keep', { server: server!.id, keep: true })
      await bench.run('list.rename', { server: server!.id, name: 'mine' })
    }
    const { env: _, ...bare } = given
    {
      await using bench = await open({ servers: [bare], connect: false })
      const servers = await serversOf(bench)
      expect(servers).toMatchObject([{ kept: true, spec: { name: 'mine', env: { API_KEY: hidden } } }])
      expect(await bench.run('server.connect', { server: servers[0]!.id })).toEqual({})
      await bench.run('kept.keep', { server: servers[0]!.id, keep: false })
      expect(await namesOf(bench)).toEqual(['mine'])
    }
    await using bench = await open()
    expect(await serversOf(bench)).toEqual([])
  })
})

describe('the list', () => {
  test('two workbenches at once do not lose each other’s entries', async () => {
    {
      await using one = await open()
      await using other = await open()
      const names = Array.from({ length: 6 }, (_, index) => `server ${index}`)
      const added = names.map(async (name, index) => {
        const bench = index % 2 === 0 ? one : other
        const { server } = await bench.run('server.add', { spec: { ...remote, name } })
        if (index === 1) await bench.run('server.remove', { server })
        if (index === 2) await bench.run('list.move', { server, by: -1 })
      })
      await Promise.all(added)
    }
    await using bench = await open()
    expect((await namesOf(bench)).toSorted()).toEqual(['server 0', 'server 2', 'server 3', 'server 4', 'server 5'])
    const revealed = (await serversOf(bench)).map(({ id }) => bench.run('server.reveal', { server: id }))
    for (const { spec } of await Promise.all(revealed)) expect(spec).toMatchObject({ headers: remote.headers })
  })

  test.each([
    ['no JSON', '{ "version": 1, "servers": [', 'it is no JSON'],
    ['another version', '{ "version": 2, "servers": [] }', 'version: expected 1, got 2'],
    ['no list', '{ "version": 1, "servers": {} }', 'servers: expected an array'],
  ])('that is broken (%s) is told and left alone until the person begins another', async (_what, text, why) => {
    const file = join(folder, 'servers.json')
    await writeFile(file, text)
    await using bench = await open()
    expect((await snapshotOf(bench)).kept.problem).toContain(why)
    const { server } = await bench.run('server.add', { spec: remote })
    expect((await serversOf(bench))[0]!.kept).toBeUndefined()
    await expect(bench.run('kept.keep', { server, keep: true })).rejects.toThrow(why)
    expect(await readFile(file, 'utf8')).toBe(text)

    const { aside } = await bench.run('kept.startAnew', {})
    expect(await readFile(aside, 'utf8')).toBe(text)
    await bench.run('kept.keep', { server, keep: true })
    expect((await snapshotOf(bench)).kept.problem).toBeUndefined()
    expect((await listed()).servers).toMatchObject([{ name: 'remote' }])
  })

  test('entries and members that are not understood are told and stay as they are', async () => {
    const strange = { id: 'x', name: 'of tomorrow', kind: 'telepathy' }
    const known = { id: 'known', name: 'known', kind: 'url', url: 'http://127.0.0.1:9/', colour: 'teal' }
    await writeFile(
      join(folder, 'servers.json'),
      JSON.stringify({ version: 1, note: 'mine', servers: [strange, known, 7, { ...known, name: 'twin' }] }),
    )
    await using bench = await open()
    const { servers, kept } = await snapshotOf(bench)
    expect(servers.map(({ id }) => id)).toEqual(['known'])
    expect(kept.unusable).toEqual([
      expect.stringContaining('servers[0] (of tomorrow): kind: expected one of'),
      'servers[2]: expected an object',
      'servers[3] (twin): another server has the same id',
    ])
    await bench.run('list.rename', { server: 'known', name: 'renamed' })
    expect(await listed()).toEqual({
      version: 1,
      note: 'mine',
      servers: [strange, { ...known, name: 'renamed' }, 7, { ...known, name: 'twin' }],
    })
  })

  test('with more servers than there is room for shows the first, and keeps the rest', async () => {
    const many = Array.from({ length: 101 }, (_, n) => ({ id: `s${n}`, name: `${n}`, kind: 'url', url: remote.url }))
    await writeFile(join(folder, 'servers.json'), JSON.stringify({ version: 1, servers: many }))
    await using bench = await open({ servers: [remote], connect: false })
    const { servers, kept } = await snapshotOf(bench)
    expect(servers).toHaveLength(100)
    expect(kept.unusable).toEqual([expect.stringContaining('room for 100 servers: those from servers[99] on')])
    await bench.run('list.rename', { server: 's1', name: 'renamed' })
    expect((await listed()).servers).toHaveLength(101)
  })

  test('that cannot be written is told; the server is there all the same', async () => {
    await using bench = await open()
    await rm(folder, { recursive: true })
    await writeFile(folder, 'no folder')
    await bench.run('server.add', { spec: { kind: 'url', name: 'remote', url: remote.url } })
    const { servers, kept } = await snapshotOf(bench)
    expect(servers).toHaveLength(1)
    expect(servers[0]!.kept).toBeUndefined()
    expect(kept.problem).toContain('cannot be changed')
  })

  test('whose folder cannot be used is told, and the workbench works without it', async () => {
    const file = join(folder, 'file')
    await writeFile(file, 'no folder')
    await using bench = await open({ folder: join(file, 'tenon') })
    await bench.run('server.add', { spec: remote })
    const { servers, kept } = await snapshotOf(bench)
    expect(servers).toMatchObject([{ spec: { name: 'remote' } }])
    expect(kept).toMatchObject({ keeps: false, problem: expect.stringContaining('cannot be used: ENOTDIR') })
  })

  test('may be a link to a file elsewhere, and stays one', async () => {
    const elsewhere = join(folder, 'elsewhere.json')
    await writeFile(elsewhere, '{"version":1,"servers":[]}')
    await symlink(elsewhere, join(folder, 'servers.json'))
    await using bench = await open()
    await bench.run('server.add', { spec: remote })
    expect(JSON.parse(await readFile(elsewhere, 'utf8')).servers).toHaveLength(1)
  })

  test('is written for other applications without secrets, and can be read again', async () => {
    const url = 'http://ada:value-of-the-password@127.0.0.1:9/mcp'
    await using bench = await open({ servers: [program, { ...remote, name: 'My API', url }], connect: false })
    const { name, text, variables, notes } = await bench.run('list.export', {})
    expect(name).toBe('.mcp.json')
    expect(text).not.toMatch(secrets)
    expect(variables).toEqual(['API_KEY', 'MY_API_CLIENT_SECRET', 'MY_API_X_KEY'])
    expect(notes).toEqual(['My API: the revision 2025-06-18 cannot be said in this file'])
    expect(JSON.parse(text).mcpServers).toMatchObject({
      // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how the file writes variables.
      program: { type: 'stdio', env: { API_KEY: '${API_KEY}' } },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how the file writes variables.
      'My API': { type: 'http', headers: { 'X-Key': '${MY_API_X_KEY}' } },
    })
    const found = await bench.run('config.parse', { text })
    expect(found.problems).toEqual([])
    expect(found.servers.map(({ spec }) => spec.name)).toEqual(['program', 'My API'])
  })
})

describe('a fresh workbench', () => {
  test('knows nothing of what is kept, and keeps nothing', async () => {
    {
      await using bench = await open()
      await bench.run('server.add', { spec: remote })
    }
    const before = await readFile(join(folder, 'servers.json'), 'utf8')
    await using bench = await open({ fresh: true })
    const { servers, kept } = await snapshotOf(bench)
    expect(servers).toEqual([])
    expect(kept).toEqual({ keeps: false, unusable: [], secrets: { where: 'memory' } })
    const { server } = await bench.run('server.add', { spec: program })
    await bench.run('model.set', { baseUrl: 'http://127.0.0.1:9/v1', model: 'm', key: 'value-of-the-model' })
    await expect(bench.run('kept.keep', { server, keep: true })).rejects.toThrow('keeps nothing')
    expect(await readFile(join(folder, 'servers.json'), 'utf8')).toBe(before)
    expect(await readFile(join(folder, 'tokens.json'), 'utf8')).not.toContain('value-of-the-m')
  })
})

describe('secrets', () => {
  test('the model and its key are there after a restart, and the key never reaches the page', async () => {
    const baseUrl = 'http://127.0.0.1:9/v1'
    {
      await using bench = await open()
      await bench.run('model.set', { baseUrl, model: 'm', key: 'value-of-the-model' })
    }
    await using bench = await open()
    expect(await bench.run('model.get', {})).toEqual({ model: { baseUrl, model: 'm', hasKey: true } })
  })

  test('all of them are forgotten at once, here and in the store; what needs them says so', async () => {
    {
      await using bench = await open()
      const { server } = await bench.run('server.add', { spec: program })
      await bench.run('server.add', { spec: remote })
      await bench.run('model.set', { baseUrl: 'http://127.0.0.1:9/v1', model: 'm', key: 'value-of-the-model' })
      await bench.run('kept.forgetSecrets', {})
      expect(JSON.stringify(await bench.run('server.reveal', { server }))).not.toMatch(secrets)
      await expect(bench.run('server.connect', { server })).rejects.toThrow('API_KEY')
      expect(await bench.run('model.get', {})).toMatchObject({ model: { hasKey: false } })
    }
    expect(await readFile(join(folder, 'tokens.json'), 'utf8')).not.toMatch(secrets)
    {
      // A copy, and one that was removed and brought back, miss the same.
      await using bench = await open()
      const [{ id: server }] = (await serversOf(bench)) as [ServerView]
      const { server: copy } = await bench.run('list.duplicate', { server })
      await bench.run('server.remove', { server: copy })
      const { server: back } = await bench.run('list.restore', { server: copy })
      await expect(bench.run('server.connect', { server: back })).rejects.toThrow('API_KEY')
    }
    await using bench = await open()
    const servers = await serversOf(bench)
    expect(servers.map(({ missing }) => missing)).toEqual([
      ['API_KEY'],
      ['API_KEY'],
      ['X-Key', 'the secret of the client'],
    ])
    await bench.run('server.update', { server: servers[0]!.id, spec: { ...program, env: { API_KEY: 'new' } } })
    expect(await bench.run('server.connect', { server: servers[0]!.id })).toHaveProperty('challenge')
  })

  test('are not shown by a saved call that wants to start the program', async () => {
    {
      await using bench = await open()
      await bench.run('server.add', { spec: program })
    }
    await using bench = await open()
    const [{ id: server }] = (await serversOf(bench)) as [ServerView]
    const text = 'tenonCalls: 1\nservers:\n  program: { config: program }\ncalls:\n  - tool: add\n'
    const { collection } = await bench.run('saved.write', { collection: 'mine.yaml', text, isNew: true })
    expect(collection.problems).toEqual([])
    let run = ''
    for await (const event of bench.events()) {
      // Listeners get the run from its beginning.
      if (event.type === 'snapshot') ({ run } = await bench.run('saved.run', { collection: collection.id, server }))
      if (event.type !== 'saved-run') continue
      expect(event.run.problem).toBeUndefined()
      if (event.run.challenge === undefined) continue
      expect(event.run.challenge.env).toEqual({ API_KEY: hidden })
      break
    }
    await bench.run('saved.stop', { run })
  })

  test('never reach the page, the timeline or a session file', async () => {
    {
      await using bench = await open()
      await bench.run('server.add', { spec: program })
      await bench.run('server.add', { spec: remote })
    }
    await using bench = await open()
    const snapshot = await snapshotOf(bench)
    expect(JSON.stringify(snapshot)).not.toMatch(secrets)
    const server = snapshot.servers[1]!.id
    const { session } = await bench.run('session.record', { server })
    await bench.run('server.connect', { server })
    await bench.until((event) => {
      const servers = event.type === 'snapshot' ? event.snapshot.servers : event.type === 'server' ? [event.server] : []
      return servers.find(({ status }) => status === 'failed')
    })
    await bench.run('session.stop', { session })
    expect((await bench.run('session.text', { session })).text).not.toMatch(secrets)
    expect((await bench.run('timeline.export', { query: '' })).text).not.toMatch(secrets)
    expect(JSON.stringify(await snapshotOf(bench))).not.toMatch(secrets)
  })

  test('a store of secrets that cannot be read is told, and the servers are there without them', async () => {
    {
      await using bench = await open()
      await bench.run('server.add', { spec: program })
    }
    await writeFile(join(folder, 'tokens.json'), 'value-of-the-password')
    await using bench = await open()
    const { servers, kept } = await snapshotOf(bench)
    expect(servers).toMatchObject([{ missing: ['API_KEY'] }])
    expect(kept.unusable).toEqual([expect.stringContaining('The secrets of program cannot be read')])
    expect(JSON.stringify(kept)).not.toMatch(secrets)
  })
})
