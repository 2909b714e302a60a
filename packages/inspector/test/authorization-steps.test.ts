import { agree } from '@tenon/issuer'
import { describe, expect, test } from 'vitest'
import type {
  AuthorizationFlow,
  AuthorizationQuestion,
  AuthorizationStep,
  AuthorizationView,
  BenchEvent,
  UrlSpec,
} from '../src/protocol.ts'
import { ProtectedWorld } from './protected.suite.ts'
import { TestBench } from './workbench-in-test.suite.ts'

/** A workbench on a protected server, and the person in front of it. */
class Story implements AsyncDisposable {
  readonly bench: TestBench
  readonly server: string

  private constructor(bench: TestBench, server: string) {
    this.bench = bench
    this.server = server
  }

  static async open(world: ProtectedWorld, more: Partial<UrlSpec> = {}): Promise<Story> {
    const spec: UrlSpec = { kind: 'url', name: 'vault', url: world.url, ...more }
    const bench = await TestBench.open({ servers: [spec], connect: false })
    const server = await bench.until((event) => (event.type === 'snapshot' ? event.snapshot.servers[0]!.id : undefined))
    return new Story(bench, server)
  }

  connect(): Promise<unknown> {
    return this.bench.run('server.connect', { server: this.server })
  }

  halt(halting: boolean): Promise<unknown> {
    return this.bench.run('authorization.halt', { server: this.server, halting })
  }

  /** Waits until the authorization is as expected. */
  until(find: (view: AuthorizationView) => boolean | undefined): Promise<AuthorizationView> {
    return this.bench.until((event) => {
      const view = viewIn(event, this.server)
      return view !== undefined && find(view) ? view : undefined
    })
  }

  async ended(count = 1): Promise<AuthorizationFlow> {
    const { flows } = await this.until((view) => view.flows.length >= count && view.flows.at(-1)?.over)
    return flows.at(-1)!
  }

  async agree(decision: 'allow' | 'deny' = 'allow'): Promise<void> {
    const question = await this.bench.until(questionIn)
    await fetch(await agree(new URL(question.url), { user: 'ada', decision }))
  }

  async call(name: string): Promise<void> {
    const operation = { method: 'tools/call' as const, name, arguments: {} }
    await this.bench.run('call.start', { server: this.server, operation })
  }

  connected(): Promise<boolean> {
    return this.bench.until((event) => {
      const servers = event.type === 'snapshot' ? event.snapshot.servers : event.type === 'server' ? [event.server] : []
      return servers.some(({ status }) => status === 'connected') || undefined
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.bench[Symbol.asyncDispose]()
  }
}

const viewIn = (event: BenchEvent, server: string): AuthorizationView | undefined =>
  event.type === 'snapshot'
    ? event.snapshot.authorizations[server]
    : event.type === 'authorization' && event.server === server
      ? event.authorization
      : undefined

const questionIn = (event: BenchEvent): AuthorizationQuestion | undefined =>
  (event.type === 'snapshot' ? event.snapshot.questions : event.type === 'question' ? [event.question] : []).find(
    (question) => question.kind === 'authorization',
  )

const statuses = ({ steps }: AuthorizationFlow): { [name: string]: string } =>
  Object.fromEntries(steps.map(({ name, status }) => [name, status]))

const stepIn = ({ steps }: AuthorizationFlow, name: string): AuthorizationStep =>
  steps.find((step) => step.name === name)!

const factsIn = (flow: AuthorizationFlow, name: string): { [fact: string]: unknown } =>
  Object.fromEntries(stepIn(flow, name).facts.map((fact) => [fact.name, fact.value]))

const failureIn = (flow: AuthorizationFlow, name: string) =>
  stepIn(flow, name).findings.find(({ level }) => level === 'failure')

describe('authorization, as it goes by itself', () => {
  test('every step is there, with what was asked, what came back and what it means', async () => {
    await using world = await ProtectedWorld.start()
    await using story = await Story.open(world)
    await story.connect()
    await story.agree()
    const flow = await story.ended()
    expect(flow.cause).toBe('sign-in')
    expect(statuses(flow)).toEqual({
      request: 'ok',
      resource: 'ok',
      issuer: 'ok',
      client: 'ok',
      consent: 'ok',
      redirect: 'ok',
      token: 'ok',
      retry: 'ok',
    })
    expect(stepIn(flow, 'request').exchanges).toMatchObject([{ method: 'POST', url: world.url, status: 401 }])
    expect(factsIn(flow, 'request').resource_metadata).toContain('/.well-known/oauth-protected-resource/mcp')
    expect(factsIn(flow, 'resource')).toMatchObject({ resource: world.url, authorization_servers: [world.issuer] })
    expect(factsIn(flow, 'issuer')).toMatchObject({ issuer: world.issuer })
    expect(stepIn(flow, 'client').exchanges).toMatchObject([
      { method: 'POST', body: { client_name: 'Tenon Workbench' }, status: 201 },
    ])
    const { code_challenge_method, state, resource } = factsIn(flow, 'consent')
    expect([code_challenge_method, resource]).toEqual(['S256', world.url])
    expect(stepIn(flow, 'consent').facts.find(({ name }) => name === 'resource')?.meaning).toContain('RFC 8707')
    expect(factsIn(flow, 'redirect')).toEqual({ code: '••••••••', state, iss: world.issuer })
    expect(stepIn(flow, 'token').exchanges).toMatchObject([
      { body: { grant_type: 'authorization_code', code_verifier: '••••••••' }, reply: { access_token: '••••••••' } },
    ])
    expect(stepIn(flow, 'token').claims).toMatchObject({ sub: 'ada', aud: world.url, iss: world.issuer })
    expect(stepIn(flow, 'retry').exchanges).toMatchObject([{ headers: { Authorization: 'Bearer …' }, status: 200 }])
  })

  test('no event and no snapshot contains a token, a code or a secret', async () => {
    await using world = await ProtectedWorld.start()
    await using story = await Story.open(world)
    await story.connect()
    const question = await story.bench.until(questionIn)
    const back = await agree(new URL(question.url), { user: 'ada' })
    await fetch(back)
    const view = await story.until(({ flows, token }) => flows.at(-1)?.over && token !== undefined)
    const text = JSON.stringify(view)
    expect(view.token).toMatchObject({ issuer: world.issuer, resource: world.url })
    expect(text).not.toContain(back.searchParams.get('code'))
    // Tokens of this issuer are JWTs.
    expect(text).not.toMatch(/eyJ[\w-]{10}/)
    expect(text).not.toMatch(/"(?:refresh_token|access_token|code|code_verifier)":"[^•]/)
  })

  test('a server that asks for nothing is said to', async () => {
    await using world = await ProtectedWorld.start()
    await using story = await Story.open(world)
    world.tamper('/mcp', {}, { status: 404 })
    await story.connect()
    const flow = await story.ended()
    expect(statuses(flow)).toMatchObject({ request: 'ok', resource: 'skipped', retry: 'skipped' })
    expect(stepIn(flow, 'request').findings).toMatchObject([{ text: 'HTTP 404: the server asks for no credentials' }])
  })

  test('a client id that is an address is one of a document, where the authorization server takes those', async () => {
    await using world = await ProtectedWorld.start()
    await using closed = await ProtectedWorld.start({ clientDocuments: false })
    const oauth = { clientId: 'https://workbench.example/client.json' }
    const clientOf = async (where: ProtectedWorld): Promise<AuthorizationStep> => {
      await using story = await Story.open(where, { oauth })
      await story.connect()
      const { flows } = await story.until((view) => view.flows[0]?.steps[4]?.status === 'running')
      return stepIn(flows[0]!, 'client')
    }
    expect(await clientOf(world)).toMatchObject({ exchanges: [], facts: [{ value: oauth.clientId }] })
    expect(world.seen).not.toContain('POST /register')
    expect((await clientOf(closed)).findings.map(({ text }) => text)).toEqual([
      'The workbench has registered itself (RFC 7591)',
      'The authorization server does not support documents about clients',
    ])
  })

  test('a missing scope is a flow of its own, and the token of before is used again when connecting', async () => {
    await using world = await ProtectedWorld.start()
    await using story = await Story.open(world)
    await story.connect()
    await story.agree()
    await story.connected()
    await story.call('write')
    await story.agree()
    const flow = await story.ended(2)
    expect(flow.cause).toBe('step-up')
    expect(stepIn(flow, 'request').exchanges).toMatchObject([{ status: 403 }])
    expect(factsIn(flow, 'request')).toMatchObject({ error: 'insufficient_scope', scope: 'notes:write' })
    expect(statuses(flow)).toMatchObject({ client: 'ok', consent: 'ok', retry: 'ok' })
    expect(stepIn(flow, 'client').findings[0]?.text).toContain('had registered itself before')
    await story.connect()
    const again = await story.ended(3)
    expect(again.cause).toBe('stored')
    expect(statuses(again)).toMatchObject({ request: 'skipped', token: 'skipped', retry: 'ok' })
  })

  test('whoever does not want to give more stays connected', async () => {
    await using world = await ProtectedWorld.start()
    await using story = await Story.open(world)
    await story.connect()
    await story.agree()
    await story.connected()
    await story.call('write')
    const question = await story.bench.until(questionIn)
    await story.bench.run('question.answer', { question: question.id, answer: { action: 'cancel' } })
    const flow = await story.ended(2)
    expect(failureIn(flow, 'consent')?.text).toContain('You did not want to sign in')
    expect(await story.connected()).toBe(true)
  })

  test('a token that expires is renewed, which is a flow too', async () => {
    // Long enough that no busy machine sees it expired when it arrives, which is a warning.
    await using world = await ProtectedWorld.start({ accessTokenTtlS: 5 })
    await using story = await Story.open(world)
    await story.connect()
    await story.agree()
    await story.connected()
    const renewed = story.until(({ flows }) => flows.some(({ cause, over }) => cause === 'renewal' && over))
    const calls = setInterval(() => void story.call('whoami').catch(() => {}), 200)
    const { flows } = await renewed.finally(() => clearInterval(calls))
    const flow = flows.find(({ cause }) => cause === 'renewal')!
    expect(statuses(flow)).toMatchObject({ consent: 'skipped', refresh: 'ok' })
    expect(stepIn(flow, 'refresh').exchanges).toMatchObject([{ body: { grant_type: 'refresh_token' }, status: 200 }])
  })

  test('signing out gives the token back, and starting over forgets the registration as well', async () => {
    await using world = await ProtectedWorld.start()
    await using story = await Story.open(world)
    await story.connect()
    await story.agree()
    await story.connected()
    await story.bench.run('server.signOut', { server: story.server })
    const out = await story.until(({ flows, token }) => flows.at(-1)?.cause === 'sign-out' && token === undefined)
    expect(statuses(out.flows.at(-1)!)).toEqual({ issuer: 'ok', revocation: 'ok' })
    expect(world.seen.filter((line) => line.includes('/revoke'))).toHaveLength(1)
    await story.connect()
    await story.agree()
    await story.connected()
    expect(world.seen.filter((line) => line.includes('/register'))).toHaveLength(1)
    await story.bench.run('authorization.startOver', { server: story.server })
    await story.until(({ flows, token }) => flows.length === 0 && token === undefined)
    await story.connect()
    await story.agree()
    await story.connected()
    expect(world.seen.filter((line) => line.includes('/register'))).toHaveLength(2)
  })
})

describe('authorization, step by step', () => {
  test('nothing is sent before the person lets it go', async () => {
    await using world = await ProtectedWorld.start()
    await using story = await Story.open(world)
    const held = (name: string): Promise<AuthorizationView> => story.until(({ flows }) => flows.at(-1)?.held === name)
    const next = (): Promise<unknown> => story.bench.run('authorization.next', { server: story.server })
    await story.halt(true)
    await story.connect()
    await held('request')
    expect(world.seen).toEqual([])
    await next()
    const { flows } = await held('resource')
    expect(stepIn(flows[0]!, 'resource').exchanges).toMatchObject([{ state: 'held', method: 'GET' }])
    expect(world.seen).toEqual(['POST /mcp'])
    for (const name of ['issuer', 'client', 'consent']) {
      await next()
      await held(name)
    }
    expect(
      await story.bench.until((event) => (event.type === 'snapshot' ? event.snapshot.questions : undefined)),
    ).toEqual([])
    await next()
    await story.agree()
    await held('token')
    await next()
    await held('retry')
    expect(world.seen.at(-1)).toBe('POST /token')
    await next()
    expect(statuses(await story.ended())).toMatchObject({ retry: 'ok' })
    await expect(next()).rejects.toThrow('Nothing waits to go on')
  })

  test('it runs to the end when it is told to, and ends when nobody wants it any more', async () => {
    await using world = await ProtectedWorld.start()
    await using story = await Story.open(world)
    await story.halt(true)
    await story.connect()
    await story.until(({ flows }) => flows.at(-1)?.held === 'request')
    await story.bench.run('server.disconnect', { server: story.server })
    expect(statuses(await story.ended())).toMatchObject({ request: 'skipped' })
    expect(world.seen).toEqual([])
    await story.connect()
    await story.until(({ flows }) => flows.length === 2 && flows.at(-1)?.held === 'request')
    await story.halt(false)
    await story.agree()
    expect(statuses(await story.ended(2))).toMatchObject({ retry: 'ok' })
  })
})

describe('authorization that fails says where, what is expected, and what to do', () => {
  const documentOf = '/.well-known/oauth-protected-resource/mcp'
  const metadataOf = '/.well-known/oauth-authorization-server'

  test('no metadata at all', async () => {
    await using world = await ProtectedWorld.start()
    await using story = await Story.open(world)
    world.tamper('/mcp', '', { status: 401 })
    for (const path of [documentOf, '/.well-known/oauth-protected-resource']) world.tamper(path, '', { status: 404 })
    world.tamper('/register', '', { status: 404 })
    await story.connect()
    const flow = await story.ended()
    expect(stepIn(flow, 'request')).toMatchObject({
      status: 'warning',
      findings: [{ text: 'HTTP 401 without WWW-Authenticate', expected: expect.stringContaining('RFC 9728') }],
    })
    expect(stepIn(flow, 'resource')).toMatchObject({ status: 'warning', exchanges: [{ status: 404 }, { status: 404 }] })
    expect(stepIn(flow, 'issuer').exchanges).toMatchObject([{ outcome: 'nothing here' }, { outcome: 'nothing here' }])
    expect(failureIn(flow, 'client')?.next).toContain('register by hand')
  })

  test('metadata that is about another server', async () => {
    await using world = await ProtectedWorld.start()
    await using story = await Story.open(world)
    world.tamper(documentOf, { resource: 'https://elsewhere.example/mcp', authorization_servers: [world.issuer] })
    await story.connect()
    const failed = failureIn(await story.ended(), 'resource')
    expect(failed?.text).toContain('is about "https://elsewhere.example/mcp"')
    expect(failed?.next).toContain(world.url)
  })

  test('an issuer that is not the one that was asked', async () => {
    await using world = await ProtectedWorld.start()
    await using story = await Story.open(world)
    world.tamper(metadataOf, { issuer: `${world.issuer}/`, authorization_endpoint: `${world.issuer}/authorize` })
    world.tamper('/.well-known/openid-configuration', '', { status: 404 })
    await story.connect()
    const flow = await story.ended()
    expect(stepIn(flow, 'issuer').exchanges[0]?.outcome).toBe('names another issuer')
    expect(failureIn(flow, 'issuer')).toMatchObject({
      expected: expect.stringContaining('RFC 8414'),
      next: expect.stringContaining('slash'),
    })
    expect(statuses(flow)).toMatchObject({ resource: 'ok', client: 'skipped' })
  })

  test('a registration that is refused', async () => {
    await using world = await ProtectedWorld.start()
    await using story = await Story.open(world)
    world.tamper('/register', { error: 'invalid_redirect_uri', error_description: 'only https' }, { status: 400 })
    await story.connect()
    const flow = await story.ended()
    expect(failureIn(flow, 'client')).toMatchObject({
      text: expect.stringContaining('invalid_redirect_uri: only https'),
      next: 'Let clients register redirect URIs on this machine.',
    })
  })

  test('a way back with another state is ignored and told, one of another issuer ends it', async () => {
    await using world = await ProtectedWorld.start()
    await using story = await Story.open(world)
    world.faults.badIss = 'wrong'
    await story.connect()
    const question = await story.bench.until(questionIn)
    const redirect = new URL(question.url).searchParams.get('redirect_uri')!
    expect((await fetch(`${redirect}?code=of-somebody-else&state=wrong`)).status).toBe(404)
    const { flows } = await story.until((view) => stepIn(view.flows[0]!, 'redirect').findings.length > 0)
    expect(stepIn(flows[0]!, 'redirect')).toMatchObject({
      status: 'running',
      findings: [{ level: 'warning', text: 'Somebody came back with another state' }],
    })
    await story.agree()
    const flow = await story.ended()
    expect(failureIn(flow, 'redirect')?.expected).toContain('RFC 9207')
    expect(world.seen).not.toContain('POST /token')
  })

  test('a person who says no', async () => {
    await using world = await ProtectedWorld.start()
    await using story = await Story.open(world)
    await story.connect()
    await story.agree('deny')
    expect(failureIn(await story.ended(), 'redirect')).toMatchObject({ text: expect.stringContaining('access_denied') })
  })

  test('a token endpoint that answers with a page, which quotes the code', async () => {
    await using world = await ProtectedWorld.start()
    await using story = await Story.open(world)
    await story.connect()
    const question = await story.bench.until(questionIn)
    const back = await agree(new URL(question.url), { user: 'ada' })
    const code = back.searchParams.get('code')!
    world.tamper('/token', `<h1>Log in</h1>${code}`, { type: 'text/html' })
    await fetch(back)
    const flow = await story.ended()
    expect(failureIn(flow, 'token')?.next).toContain('text/html')
    expect(stepIn(flow, 'token').exchanges[0]?.reply).toBe('<h1>Log in</h1>••••••••')
    expect(JSON.stringify(flow)).not.toContain(code)
  })

  test('a token that the server does not take', async () => {
    await using world = await ProtectedWorld.start()
    await using story = await Story.open(world)
    world.faults.wrongAudience = true
    await story.connect()
    await story.agree()
    const flow = await story.ended()
    expect(
      stepIn(flow, 'token')
        .findings.map(({ text }) => text)
        .join(),
    ).toContain(`and not for ${world.url}`)
    expect(failureIn(flow, 'retry')?.text).toContain('refuses the token')
    expect(flow.steps.at(-1)?.status).toBe('failed')
  })

  test('a server that does not answer', async () => {
    await using world = await ProtectedWorld.start()
    await using story = await Story.open(world, { url: 'http://127.0.0.1:9/mcp' })
    await story.connect()
    const flow = await story.ended()
    expect(failureIn(flow, 'request')).toMatchObject({
      text: expect.stringContaining('ECONNREFUSED'),
      next: expect.stringContaining('Diagnosis'),
    })
  })

  test('a server that wants a password', async () => {
    await using world = await ProtectedWorld.start()
    await using story = await Story.open(world)
    world.tamper('/mcp', '', { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } })
    await story.connect()
    expect(failureIn(await story.ended(), 'request')?.text).toBe('It asks for basic, and not for a token')
  })

  test('a client id of the settings that nobody knows', async () => {
    await using world = await ProtectedWorld.start()
    await using story = await Story.open(world, { oauth: { clientId: 'nobody' } })
    await story.connect()
    const { flows } = await story.until((view) => (view.flows[0]?.steps[4]?.findings.length ?? 0) > 0)
    expect(stepIn(flows[0]!, 'client')).toMatchObject({ status: 'ok', facts: [{ name: 'client_id', value: 'nobody' }] })
    expect(stepIn(flows[0]!, 'consent').findings[0]?.text).toContain('has to be registered for this client')
  })
})
