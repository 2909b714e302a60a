import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agree, serveIssuer } from '@tenon/issuer'
import { bearer } from '@tenon/sdk/auth/server'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Visitor } from '../../issuer/src/visitor.suite.ts'
import { bare, dialogue } from './dialogue.ts'
import { begin, type Outcome, onTerminal, parsed, temporaryFolder, tenon } from './tenon.ts'

let issuer: Awaited<ReturnType<typeof serveIssuer>>
let http: Awaited<ReturnType<typeof serveHttp>>

beforeAll(async () => {
  issuer = await serveIssuer({ users: [{ subject: 'ada' }] })
  const whoami = tool({ name: 'whoami', run: (_input, ctx) => String(ctx.auth?.principal?.split('#').at(-1)) })
  const server = createServer({ name: 'tables', version: '1.0.0', tools: [whoami] })
  http = await serveHttp(server, { port: 0, auth: bearer({ issuer: issuer.url, scopes: ['read'] }) })
})

afterAll(async () => {
  await http.close()
  await issuer.close()
})

/** Plays the user: consents on the page, and follows its redirect. */
async function visit(text: string): Promise<void> {
  const page = /https?:\/\/\S*code_challenge\S*/.exec(text)![0]
  await fetch(await agree(new URL(page), { user: 'ada' }))
}

/** Logs in without a terminal: the page is printed, and somebody visits it. */
async function logIn(cwd: string, ...options: string[]): Promise<Outcome> {
  const { stdout, stderr, ended } = begin(['auth', 'login', http.url, ...options], { cwd })
  await vi.waitFor(() => expect(stderr()).toMatch(/code_challenge\S*\s/), { timeout: 100_000 })
  await visit(stderr())
  const code = await ended
  return { code, stdout: stdout(), stderr: stderr() }
}

describe('without a terminal', () => {
  test('a server that wants a login is exit code 4, and how to log in is said', async () => {
    const { code, stdout, stderr } = await tenon(['call', http.url, 'whoami'])
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
    expect(stderr.replaceAll(http.url, 'URL')).toBe(
      'error: URL wants a login\nhint: Log in with `tenon auth login URL`, or give --header "Authorization: …".\n',
    )
  })

  test('a login is kept for every command, described without its tokens, and taken back', async () => {
    const cwd = temporaryFolder()
    expect(await logIn(cwd, '--scope', 'read')).toMatchObject({ code: 0, stdout: `Logged in to ${http.url}.\n` })
    const file = join(cwd, '.config/tenon/tokens.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await tenon(['call', http.url, 'whoami'], { cwd })).toEqual({ code: 0, stdout: 'ada\n', stderr: '' })

    const status = await tenon(['auth', 'status', http.url, '--json'], { cwd })
    expect(parsed(status)).toMatchObject({
      ok: true,
      result: { server: http.url, loggedIn: true, issuer: issuer.url, scopes: ['read'], renewable: true },
    })
    const all = await tenon(['auth', 'status'], { cwd })
    expect(all.stdout).toMatch(/server +http:.*\nissuer +http:.*\nscopes +read\nexpires +20.*Z, renewed by itself\n/)
    for (const secret of readFileSync(file, 'utf8').match(/[\w-]{30,}/g)!) {
      expect(status.stdout + all.stdout).not.toContain(secret)
    }

    expect(await tenon(['auth', 'logout', http.url], { cwd })).toEqual({
      code: 0,
      stdout: `Logged out of ${http.url}.\n`,
      stderr: '',
    })
    expect(await tenon(['call', http.url, 'whoami'], { cwd })).toMatchObject({ code: 4 })
    expect(await tenon(['auth', 'status', http.url], { cwd })).toMatchObject({ code: 4 })
    expect(await tenon(['auth', 'status'], { cwd })).toMatchObject({ code: 0, stderr: 'There are no logins.\n' })
  })

  test('a device logs in with a code, while somebody agrees elsewhere', async () => {
    const cwd = temporaryFolder()
    const { stderr, ended } = begin(['auth', 'login', http.url, '--device'], { cwd })
    await vi.waitFor(() => expect(stderr()).toMatch(/or visit \S+\s/), { timeout: 100_000 })
    expect(stderr()).toMatch(/^Visit http\S+ and enter the code [B-Z]{4}-[B-Z]{4}\n/)
    const page = await new Visitor().open(/or visit (\S+)/.exec(stderr())![1]!)
    expect((await page.allow()).status).toBe(200)
    expect(await ended).toBe(0)
    expect(await tenon(['call', http.url, 'whoami'], { cwd })).toMatchObject({ code: 0, stdout: 'ada\n' })
  })

  test('a header of your own is used instead of a login', async () => {
    const { code, stderr } = await tenon(['call', http.url, 'whoami', '-H', 'Authorization: Bearer nonsense'])
    expect(code).toBe(4)
    expect(stderr).not.toContain('wants a login')
  })

  test('a wrong action, a program and a secret without a client are refused', async () => {
    expect(await tenon(['auth', 'logn', http.url])).toMatchObject({
      code: 2,
      stderr: 'error: Unknown action "logn"\nhint: Did you mean login?\n',
    })
    expect(await tenon(['auth', 'login', '--', 'node'])).toMatchObject({
      code: 2,
      stderr: 'error: Programs have no login: expected a URL or a configured server with one\n',
    })
    expect(await tenon(['auth', 'login', http.url, '--client-secret-env', 'X'])).toMatchObject({ code: 2 })
  })
})

describe('on a terminal', () => {
  /** A browser that only records the opened URLs. */
  function browser(cwd: string): NodeJS.ProcessEnv {
    mkdirSync(join(cwd, 'bin'))
    writeFileSync(join(cwd, 'bin/xdg-open'), `#!/bin/sh\necho "$1" > '${cwd}/opened'\n`)
    chmodSync(join(cwd, 'bin/xdg-open'), 0o755)
    return { PATH: `${join(cwd, 'bin')}:${process.env.PATH}` }
  }

  test('a login is offered, and the call goes on after it', async () => {
    const cwd = temporaryFolder()
    const { shown, code } = await onTerminal(
      ['call', http.url, 'whoami'],
      { cwd, env: browser(cwd) },
      async (terminal) => {
        await dialogue(terminal, [
          ['Open the browser? (Y/n) ', '\r'],
          ['The browser was opened', ''],
        ])
        await vi.waitFor(() => readFileSync(join(cwd, 'opened')), { timeout: 100_000 })
        await visit(readFileSync(join(cwd, 'opened'), 'utf8'))
      },
    )
    expect(code).toBe(0)
    expect(bare(shown).replaceAll(http.url, 'URL')).toContain(`URL wants you to log in at ${issuer.url}.`)
    expect(bare(shown).trimEnd()).toMatch(/ada$/)
  })

  test('a login that is not wanted opens nothing', async () => {
    const cwd = temporaryFolder()
    const { shown, code } = await onTerminal(['call', http.url, 'whoami'], { cwd, env: browser(cwd) }, (terminal) =>
      dialogue(terminal, [['Open the browser? (Y/n) ', 'n\r']]),
    )
    expect(code).toBe(4)
    expect(bare(shown)).toContain('wants a login')
    expect(() => readFileSync(join(cwd, 'opened'))).toThrow()
  })
})
