import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agree, serveIssuer } from '@tenon/issuer'
import { bearer } from '@tenon/sdk/auth/server'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { describe, expect, test, vi } from 'vitest'
import type { Question, ServerView, Snapshot } from '../../inspector/src/protocol.ts'
import { TestBench } from '../../inspector/test/workbench-in-test.suite.ts'
import { begin, temporaryFolder, tenon } from './tenon.ts'

/** The workbench as the command starts it, used as its page does. */
async function inspect(cwd: string, ...args: string[]): Promise<TestBench> {
  const { stdout, interrupt, ended } = begin(['inspect', '--json', ...args], { cwd })
  await vi.waitFor(() => expect(stdout()).toMatch(/\n$/), { timeout: 100_000 })
  const { url } = JSON.parse(stdout()) as { url: string }
  const close = async (): Promise<void> => {
    interrupt()
    await ended
  }
  return TestBench.at({ url, newUrl: () => url, close, [Symbol.asyncDispose]: close })
}

const snapshotOf = (bench: TestBench): Promise<Snapshot> =>
  bench.until((event) => (event.type === 'snapshot' ? event.snapshot : undefined))

const namesOf = async (bench: TestBench): Promise<string[]> =>
  (await snapshotOf(bench)).servers.map(({ spec }) => spec.name)

const nobody = { kind: 'url' as const, url: 'http://127.0.0.1:9/mcp' }

describe('tenon inspect', () => {
  test('has the servers of the last time and the one of this time, which is not kept; --fresh has none', async () => {
    const cwd = temporaryFolder()
    {
      await using bench = await inspect(cwd)
      await bench.run('server.add', { spec: { ...nobody, name: 'added' } })
      expect((await snapshotOf(bench)).kept).toMatchObject({
        path: join(cwd, '.config/tenon/servers.json'),
        secrets: { where: 'file', path: join(cwd, '.config/tenon/tokens.json') },
      })
    }
    {
      await using bench = await inspect(cwd, 'http://127.0.0.1:10/given')
      const given = (await namesOf(bench))[0]
      expect(await namesOf(bench)).toEqual([given, 'added'])
    }
    {
      await using bench = await inspect(cwd, '--fresh')
      expect(await namesOf(bench)).toEqual([])
      await bench.run('server.add', { spec: { ...nobody, name: 'of this time only' } })
    }
    await using bench = await inspect(cwd)
    expect(await namesOf(bench)).toEqual(['added'])
  })

  test('--calls is the folder of saved calls', async () => {
    const cwd = temporaryFolder()
    await using bench = await inspect(cwd, '--calls', 'mine')
    await bench.run('saved.write', { collection: 'a.yaml', text: 'calls: []\n', isNew: true })
    expect(existsSync(join(cwd, 'mine/a.yaml'))).toBe(true)
    expect(existsSync(join(cwd, '.config/tenon/calls'))).toBe(false)
  })
})

describe('one login for the workbench and the command line', () => {
  const questionIn = (bench: TestBench): Promise<Question> =>
    bench.until((event) => {
      const asked =
        event.type === 'snapshot' ? event.snapshot.questions : event.type === 'question' ? [event.question] : []
      return asked.find(({ kind }) => kind === 'authorization')
    })
  const connected = (bench: TestBench): Promise<ServerView> =>
    bench.until((event) => {
      const servers = event.type === 'snapshot' ? event.snapshot.servers : event.type === 'server' ? [event.server] : []
      return servers.find(({ status }) => status === 'connected')
    })

  test('signing in there serves here, and the next time; signing out ends both', async () => {
    await using issuer = await serveIssuer({ users: [{ subject: 'ada' }] })
    const whoami = tool({ name: 'whoami', run: (_input, ctx) => String(ctx.auth?.principal?.split('#').at(-1)) })
    await using http = await serveHttp(createServer({ name: 'vault', version: '1.0.0', tools: [whoami] }), {
      port: 0,
      auth: bearer({ issuer: issuer.url }),
    })
    const cwd = temporaryFolder()
    {
      await using bench = await inspect(cwd, http.url)
      const question = await questionIn(bench)
      if (question.kind === 'authorization') await fetch(await agree(new URL(question.url), { user: 'ada' }))
      await connected(bench)
    }
    expect(await tenon(['call', http.url, 'whoami'], { cwd })).toEqual({ code: 0, stdout: 'ada\n', stderr: '' })
    expect((await tenon(['auth', 'status'], { cwd })).stdout).toContain(http.url)
    // Nothing but the tokens was kept: the server came from the command line.
    expect(existsSync(join(cwd, '.config/tenon/servers.json'))).toBe(false)
    {
      await using bench = await inspect(cwd, http.url)
      const { id } = await connected(bench)
      expect((await snapshotOf(bench)).questions).toEqual([])
      const exported =
        (await bench.run('timeline.export', { query: '' })).text + JSON.stringify(await snapshotOf(bench))
      for (const secret of readFileSync(join(cwd, '.config/tenon/tokens.json'), 'utf8').match(/[\w.-]{60,}/g) ?? []) {
        expect(exported).not.toContain(secret)
      }
      await bench.run('server.signOut', { server: id })
    }
    expect(await tenon(['call', http.url, 'whoami'], { cwd })).toMatchObject({ code: 4 })
    expect((await tenon(['auth', 'status'], { cwd })).stderr).toBe('There are no logins.\n')
  })

  test('a login of before is forgotten by signing out, without having connected', async () => {
    await using issuer = await serveIssuer({ users: [{ subject: 'ada' }] })
    await using http = await serveHttp(createServer({ name: 'vault', version: '1.0.0' }), {
      port: 0,
      auth: bearer({ issuer: issuer.url }),
    })
    const cwd = temporaryFolder()
    {
      await using bench = await inspect(cwd, http.url)
      const question = await questionIn(bench)
      if (question.kind === 'authorization') await fetch(await agree(new URL(question.url), { user: 'ada' }))
      const { id } = await connected(bench)
      await bench.run('kept.keep', { server: id, keep: true })
    }
    await using bench = await inspect(cwd)
    const [server] = (await snapshotOf(bench)).servers
    expect(server).toMatchObject({ kept: true, status: 'idle' })
    await bench.run('server.signOut', { server: server!.id })
    expect(readFileSync(join(cwd, '.config/tenon/tokens.json'), 'utf8')).not.toMatch(/accessToken/)
  })
})
