/** Each client has a browser of its own, which ends with it; and Chromium may end at any time. */
import { readdirSync, readFileSync } from 'node:fs'
import { type Client, connect } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { type Site, startSite } from '../../fetch/test/site.ts'
import { browserServer, call, clientOf, failing } from './helpers.ts'

const both = ['2025-11-25', '2026-07-28'] as const

describe('sessions', requires('chromium'), () => {
  let site: Site
  let made: ReturnType<typeof browserServer>
  let maxSessions = 8
  const settings = {
    get current() {
      const common = { readOnly: false, confirm: false, allowPrivate: ['127.0.0.1'], noSandbox: true }
      return { ...common, allowEvaluate: true, maxSessions }
    },
    onChange() {},
  }
  beforeEach(() => {
    maxSessions = 8
  })
  beforeAll(async () => {
    made = browserServer({ settings })
    site = await startSite({ '/': '<title>Page</title><p>x</p>' })
    return () => site[Symbol.asyncDispose]()
  })
  const navigate = (client: Client, more: object = {}): ReturnType<typeof call> =>
    call(client, 'puppeteer_navigate', { url: `${site.origin}/`, ...more })

  test.each(both)('in %s clients share no cookies, storage, pages, logs or screenshots', async (revision) => {
    const ada = await clientOf(made, revision)
    const bob = await clientOf(made, revision)
    await navigate(ada)
    const script = 'document.cookie = "a=1"; localStorage.a = 1; console.log("secret of Ada")'
    await call(ada, 'puppeteer_evaluate', { script })
    await call(ada, 'puppeteer_screenshot', { name: 'mine' })
    const { structured } = await navigate(bob)
    const seen = await call(bob, 'puppeteer_evaluate', { script: 'document.cookie + localStorage.length' })
    expect(seen.structured.result).toBe('"0"')
    expect((await call(bob, 'browser_console')).text).not.toContain('Ada')
    expect(JSON.stringify(await bob.readResource('console://logs'))).not.toContain('Ada')
    await expect(bob.readResource('screenshot://mine')).rejects.toThrow('not found')
    expect((await bob.listResources()).resources.map(({ uri }) => uri)).not.toContain('screenshot://mine')
    expect(await failing(bob, 'browser_tabs', { session: 'f'.repeat(32) })).toContain('There is no session')
    expect(structured.session).not.toBe((await navigate(ada)).structured.session)
    for (const client of [ada, bob]) await call(client, 'browser_close')
  })

  test('a session ends with its connection', async () => {
    maxSessions = 1
    const ada = await connect(made.server, { revisions: ['2025-11-25'] })
    const { session } = (await navigate(ada)).structured
    await call(ada, 'browser_tabs')
    const bob = await clientOf(made)
    await ada.close()
    await expect.poll(() => failing(bob, 'browser_tabs', { session })).toContain('There is no session')
  })

  test('a session that is closed begins anew, and says so', async () => {
    const client = await clientOf(made)
    const first = await navigate(client)
    expect((await call(client, 'browser_close')).text).toBe('The session is closed.')
    expect((await call(client, 'browser_close')).text).toBe('There was no session.')
    const { structured } = await call(client, 'browser_tabs')
    expect(structured).toMatchObject({ url: 'about:blank', notes: [expect.stringContaining('new session')] })
    expect(structured.session).not.toBe(first.structured.session)
  })

  test('over HTTP without sessions, the id of a result finds its page', async () => {
    maxSessions = 2
    await using http = await serveHttp(made.server, { port: 0, path: '/mcp' })
    const client = await connect(http.url, { revisions: ['2026-07-28'] })
    const { session } = (await navigate(client)).structured
    expect((await call(client, 'browser_tabs', { session })).structured).toMatchObject({ session, title: 'Page' })
    await call(client, 'puppeteer_screenshot', { name: 'x', session })
    const { contents } = await client.readResource(`screenshot://x?session=${session}`)
    expect(contents).toMatchObject([{ mimeType: 'image/png' }])
    expect((await client.readResource(`network://requests?session=${session}`)).contents).toHaveLength(1)
    // A third one takes the place of the longest unused.
    await navigate(client)
    await call(client, 'browser_tabs', { session })
    const third = await navigate(client)
    expect((await call(client, 'browser_tabs', { session })).structured).toMatchObject({ session })
    expect(third.structured.session).not.toBe(session)
    for (const id of [session, third.structured.session]) await call(client, 'browser_close', { session: id })
    await client.close()
  })

  test('sessions of another principal do not make room', async () => {
    maxSessions = 1
    await using http = await serveHttp(made.server, {
      port: 0,
      path: '/mcp',
      auth: (request) => ({ principal: request.header('authorization') ?? '', scopes: [] }),
    })
    const as = (name: string): Promise<Client> =>
      connect(http.url, { revisions: ['2025-11-25'], headers: { authorization: name } })
    const ada = await as('ada')
    const bob = await as('bob')
    const { session } = (await navigate(ada)).structured
    expect(await failing(bob, 'browser_tabs')).toContain('All 1 browser sessions of this server are in use')
    expect(await failing(bob, 'browser_tabs', { session })).toContain('There is no session')
    expect((await call(ada, 'browser_tabs')).structured).toMatchObject({ session, title: 'Page' })
    await Promise.all([ada.close(), bob.close()])
  })

  test('a session that nobody uses is closed', async () => {
    const idle = browserServer({ idleTimeout: 100 })
    const client = await clientOf(idle)
    const { session } = (await navigate(client)).structured
    const log = (): Promise<string> =>
      client.readResource(`console://logs?session=${session}`).then(
        () => 'there',
        () => 'gone',
      )
    await expect.poll(log).toBe('gone')
  })

  test('a crash of a page or of Chromium is told, and the next call works', requires('proc'), async () => {
    const own = browserServer()
    const client = await clientOf(own)
    await navigate(client)
    const { children, renderers } = processes()
    for (const renderer of renderers) kill(renderer)
    await expect.poll(async () => (await call(client, 'browser_tabs')).text).toContain('crashed')
    await navigate(client)
    // The call is under way when it tells of its progress.
    let isKilled = false
    const onProgress = (): void => {
      if (!isKilled) for (const child of children) kill(child)
      isKilled = true
    }
    expect(await client.callTool('browser_wait', { text: 'Never' }, { onProgress })).toMatchObject({
      isError: true,
      text: expect.stringContaining('Chromium ended unexpectedly'),
    })
    const { structured } = await navigate(client)
    expect(structured).toMatchObject({ title: 'Page', notes: [expect.stringContaining('started anew')] })
  })
})

/** The browsers that this process started last, and the renderers below them. */
function processes(): { children: number[]; renderers: number[] } {
  const rows = readdirSync('/proc').flatMap((name) => {
    try {
      // The name of the program, in parentheses, may have spaces.
      const [, parent, ...more] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
      const args = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      // Numbers of processes are used again, from the smallest on.
      return /^\d+$/.test(name) ? [{ pid: Number(name), parent: Number(parent), started: Number(more[17]), args }] : []
    } catch {
      return []
    }
  })
  const newest = rows
    .filter(({ parent, args }) => parent === process.pid && args.includes('remote-debugging-pipe'))
    .sort((one, other) => one.started - other.started)
    .at(-1)!
  const below = (parent: number): typeof rows =>
    rows.filter((row) => row.parent === parent).flatMap((row) => [row, ...below(row.pid)])
  const renderers = below(newest.pid).filter(({ args }) => args.includes('--type=renderer'))
  return { children: [newest.pid], renderers: renderers.map(({ pid }) => pid) }
}

const kill = (pid: number): void => void process.kill(pid, 'SIGKILL')
