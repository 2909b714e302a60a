// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how config files write variables
/** `tenon gateway`, between real clients and real servers. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { begin, type Running, temporaryFolder, tenon } from './tenon.ts'

interface Waiting {
  readonly url: string
  readonly started: Promise<void>
  finish(): void
}

async function waiting(name: string): Promise<Waiting> {
  let start = (): void => {}
  let finish = (): void => {}
  const started = new Promise<void>((resolve) => {
    start = resolve
  })
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const wait = tool({
    name: 'wait',
    async run() {
      start()
      await finished
      return `${name} waited`
    },
  })
  const server = createServer({ name, version: '1.0.0', tools: [wait, tool({ name: 'who', run: () => name })] })
  const http = await serveHttp(server)
  onTestFinished(() => http.close())
  return { url: http.url, started, finish }
}

const urlOf = (running: Running): Promise<string> =>
  vi.waitFor(() => / at (http\S+)/.exec(running.stdout())![1]!, { timeout: 100_000 })

test('a file is served, watched, and taken without an interruption; a bad one changes nothing', async () => {
  const cwd = temporaryFolder()
  const [one, two] = [await waiting('one'), await waiting('two')]
  const file = join(cwd, 'gateway.yaml')
  const write = (text: string): void => writeFileSync(file, text)
  write(`upstreams:\n  a: { url: ${one.url} }\nservers:\n  team: { upstreams: { a: { rename: { who: whoami } } } }\n`)
  const running = begin(['gateway', 'gateway.yaml', '--port', '0'], { cwd })
  const url = await urlOf(running)
  expect(running.stdout()).toContain(`team at ${url.replace('/mcp', '/servers/team/mcp')}`)
  await using client = await connect(url)
  const call = client.callTool('a__wait')
  await one.started
  write(`upstreams:\n  a: { url: ${two.url} }\n  b: { url: ${one.url} }\n`)
  await vi.waitFor(() => expect(running.stderr()).toContain('removed servers.team'), { timeout: 100_000 })
  expect(running.stderr()).toMatch(/changed upstreams\.a\nadded upstreams\.b/)
  expect((await client.callTool('a__who')).text).toBe('two')
  write('upstreams:\n  a: { ulr: http://localhost }\n')
  await vi.waitFor(() => expect(running.stderr()).toContain('goes on'), { timeout: 100_000 })
  expect(running.stderr()).toContain('gateway.yaml:2:8: upstreams.a.ulr: is not known. Did you mean url?')
  expect((await client.callTool('b__who')).text).toBe('one')
  one.finish()
  expect((await call).text).toBe('one waited')
  expect((await fetch(url.replace('/mcp', '/healthz'))).status).toBe(200)
  running.interrupt()
  expect(await running.ended).toBe(0)
})

test('without a file: the servers that hosts know, and those that cannot be used are named', async () => {
  const cwd = temporaryFolder()
  const { url } = await waiting('docs')
  const servers = { 'my docs': { url }, secret: { url, headers: { token: '${NOT_SET_ANYWHERE}' } } }
  writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: servers }))
  const running = begin(['gateway', '--json'], { cwd })
  const listening = await vi.waitFor(() => JSON.parse(running.stdout().split('\n')[0]!), { timeout: 100_000 })
  expect(listening).toMatchObject({ event: 'listening', upstreams: ['my-docs'], servers: [] })
  expect(running.stderr()).toContain('left out: secret')
  const page = await fetch(listening.page, { redirect: 'manual' })
  expect([page.status, page.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/#key=/)])
  const [origin, key] = [new URL(listening.page).origin, page.headers.get('location')!.slice('/#key='.length)]
  const health = await fetch(`${origin}/api/upstreams`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin,
      cookie: page.headers.get('set-cookie')!.split(';')[0]!,
      'tenon-key': key,
    },
    body: '{}',
  })
  expect(await health.json()).toMatchObject({ result: [{ name: 'my-docs', reached: 'target' }] })
  await using client = await connect(listening.url)
  expect((await client.callTool('my-docs__who')).text).toBe('docs')
  await vi.waitFor(() => expect(running.stdout()).toContain('"event":"upstream","name":"my-docs","state":"up"'))
  running.interrupt()
  expect(await running.ended).toBe(0)
})

test('a module of an upstream may be TypeScript, and operators are answered where the file says', async () => {
  const cwd = temporaryFolder()
  const module = fileURLToPath(new URL('fixtures/typed-server.ts', import.meta.url))
  const operator = { token: 'a token of the operator, 32 characters' }
  writeFileSync(join(cwd, 'gateway.yaml'), JSON.stringify({ operator, upstreams: { own: { module } } }))
  const running = begin(['gateway', 'gateway.yaml'], { cwd })
  await using client = await connect(await urlOf(running))
  const api = await vi.waitFor(() => /operators at (http\S+)/.exec(running.stdout())![1]!, { timeout: 100_000 })
  const authorization = `Bearer ${operator.token}`
  const health = await fetch(`${api}/api/check`, { method: 'POST', headers: { authorization } })
  expect(await health.json()).toMatchObject({ result: [{ name: 'own', state: 'up', reached: 'module' }] })
  expect(running.stdout()).not.toContain('Its page')
  expect((await client.callTool('own__who')).text).toBe('typed')
})

test('--check says what is wrong and where, or what the file makes', async () => {
  const cwd = temporaryFolder()
  const check = async (text: string): Promise<unknown> => {
    writeFileSync(join(cwd, 'gateway.yaml'), text)
    const { code, stdout, stderr } = await tenon(['gateway', 'gateway.yaml', '--check'], { cwd })
    return [code, stdout + stderr]
  }
  expect(await check('upstreams:\n  a: { command: node }\nservers: { team: {} }\n')).toEqual([
    0,
    'gateway.yaml is fine. Upstreams: a. Servers: all, team.\n',
  ])
  expect(await check('upstreams:\n  a: { comand: node }\n')).toEqual([
    2,
    expect.stringContaining('gateway.yaml:2:8: upstreams.a.comand: is not known. Did you mean command?'),
  ])
  const both = 'servers: { s: { upstreams: { a: { rename: { x: z, y: z } } } } }'
  expect(await check(`upstreams:\n  a: { command: node }\n${both}\n`)).toEqual([
    2,
    expect.stringContaining('gateway.yaml: server s: z is the name of a.x and a.y: none of them is served'),
  ])
})

test('explain says which rules decide, for lists and calls, and knows its callers and names', async () => {
  const cwd = temporaryFolder()
  const write = tool({
    name: 'write',
    input: { type: 'object', properties: { path: { type: 'string' }, size: { type: 'number' } } },
    run: () => 'written',
  })
  const read = tool({ name: 'read', annotations: { readOnlyHint: true }, run: () => 'read' })
  await using http = await serveHttp(createServer({ name: 'files', version: '1.0.0', tools: [write, read] }))
  const file = {
    upstreams: { files: { url: http.url }, gone: { url: 'http://127.0.0.1:9/mcp', timeoutMs: 5000 } },
    servers: { team: { upstreams: { files: { rename: { write: 'put' } } } } },
    identity: {
      issuers: ['https://login.example'],
      keys: [{ name: 'ada', hash: `sha256:${'A'.repeat(43)}`, groups: ['editors'] }],
    },
    policy: {
      rules: [
        { name: 'everybody reads', effect: 'allow', when: 'annotations.readOnlyHint' },
        { name: 'editors', effect: 'allow', when: '"editors" in caller.groups' },
        { name: 'large files', effect: 'approve', match: { name: 'write' }, when: 'args.size > 10.0' },
        { name: 'not in /etc', effect: 'deny', when: 'args.?path.orValue("").startsWith("/etc/")' },
      ],
    },
    audit: { folder: 'log' },
  }
  writeFileSync(join(cwd, 'gateway.yaml'), JSON.stringify(file))
  const explain = (...line: string[]) => tenon(['gateway', 'explain', ...line], { cwd })
  const open = await explain('key:ada', 'files__write')
  expect(open).toMatchObject({ code: 0, stderr: expect.stringContaining('not asked: gone: ') })
  expect(open.stdout).toBe(`Caller: key:ada (key), groups: editors, scopes: none
Item: tool files__write of server all, write at files
Listed: yes
Calls: depends on the arguments; otherwise allowed, by editors
Note: give the arguments with --arg name=value, and it says what they change
Rules, the strictest first:
  deny     not in /etc      depends on the arguments
  approve  large files      depends on the arguments
  allow    everybody reads  not matched
  allow    editors          matched
`)
  const large = await explain('key:ada', 'put', '--server', 'team', '--arg', 'size=11', '--arg', 'path=/tmp', '--json')
  expect(JSON.parse(large.stdout).result).toMatchObject({
    args: { size: 11, path: '/tmp' },
    items: [{ effect: 'approve', by: 'large files', isListed: true, shownAs: 'put', upstream: 'files', name: 'write' }],
  })
  const bob = ['https://login.example|bob', 'files__write']
  const asEditor = await explain(...bob, '--group', 'editors', '--arg', 'path=/etc/passwd')
  expect(asEditor.stdout).toContain('Calls: denied, by not in /etc')
  const unasked = await explain(bob[0]!, 'gone__x', '--arg', 'size:=1')
  expect(unasked.stdout).toContain('Listed: no\nCalls: denied, by the default\nNote: its upstream could not be asked')
  for (const line of open.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  const wrong = async (...line: string[]): Promise<unknown> => {
    const { code, stderr } = await explain(...line)
    return [code, stderr.replace(/.*(?=error: )/s, '')]
  }
  expect(await wrong('key:adda', 'files__write')).toEqual([
    2,
    'error: There is no caller "key:adda"\nhint: There is key:ada.\n',
  ])
  expect(await wrong('key:ada', 'files__wriet')).toEqual([
    2,
    'error: There is no item "files__wriet"\nhint: There is files__write.\n',
  ])
  expect(await wrong('key:ada', 'put', '--server', 'tem')).toEqual([
    2,
    'error: There is no server "tem"\nhint: There is team.\n',
  ])
  // Nothing was opened: a gateway may run with the same file.
  expect(existsSync(join(cwd, 'log'))).toBe(false)
})

test.each([
  ['explain without a name', ['gateway', 'explain', 'local'], 'explain takes a caller, a name and a file'],
  ['without servers', ['gateway'], 'No server is configured on this machine'],
  ['with two files', ['gateway', 'a.yaml', 'b.yaml'], 'gateway takes one file'],
  ['a check without a file', ['gateway', '--check'], '--check needs a file'],
  ['with a file that is not there', ['gateway', 'none.yaml'], 'none.yaml: cannot be read: ENOENT'],
])('refused with 2: %s', async (_name, line, message) => {
  const { code, stderr } = await tenon(line)
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
})

test('a gateway for other machines needs callers who prove who they are', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'gateway.yaml'), 'upstreams: { a: { command: node } }')
  const { code, stderr } = await tenon(['gateway', 'gateway.yaml', '--host', '0.0.0.0'], { cwd })
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('other machines could use') })
})

test('a file without callers does not open a gateway that other machines reach', async () => {
  const cwd = temporaryFolder()
  const file = join(cwd, 'gateway.yaml')
  const { url: upstream } = await waiting('docs')
  const open = `upstreams: { a: { url: ${upstream} } }\n`
  writeFileSync(file, `${open}identity: { keys: [{ name: ada, hash: 'sha256:${'A'.repeat(43)}' }] }\n`)
  const running = begin(['gateway', 'gateway.yaml', '--host', '0.0.0.0', '--port', '0'], { cwd })
  const url = await urlOf(running)
  writeFileSync(file, open)
  await vi.waitFor(() => expect(running.stderr()).toContain('goes on'), { timeout: 100_000 })
  expect(running.stderr()).toContain('other machines could use')
  await expect(connect(url)).rejects.toThrow(/401/)
  running.interrupt()
  expect(await running.ended).toBe(0)
})
