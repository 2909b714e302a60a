/** Two tokens of one principal in one session: a request has the rights of its own token to the end. */
import { afterEach, describe, expect, test } from 'vitest'
import { requireScopes } from '../../server/access/scopes.ts'
import type { AuthInfo, Caller } from '../../server/caller.ts'
import { prompt } from '../../server/features/prompt.ts'
import { resource, resourceTemplate } from '../../server/features/resource.ts'
import { tool } from '../../server/features/tool.ts'
import { createServer, dispatcherOf, type Server } from '../../server/server.ts'
import { KeepAliveTimer } from '../keep-alive.ts'
import { HttpSession } from '../session/http-session.ts'
import { adapters } from './adapters.suite.ts'
import { EventReader, initializeRequest, post, type Served, SessionClient, type Signal, signal } from './http.suite.ts'

const [, serve] = adapters.find(([name]) => name === 'fetch')!

type Token = 'weak' | 'strong'
type App = { scopes: readonly string[] }

const scopesOf = { weak: ['read'], strong: ['read', 'admin'] }
let tokens = 0
/** Made anew for every request, and never twice the same, as with access tokens that are refreshed. */
const authOf = (token: Token): AuthInfo => ({
  principal: 'ada',
  scopes: scopesOf[token],
  claims: { jti: `${tokens++}` },
})

/** Every hook of the server passes here, and the test holds one of them. */
class Turnstile {
  #left = 0
  #held: Signal = signal()
  #released: Signal = signal()

  /** Holds the passage with this number, counted from now. */
  holdAt(number: number): { held: Promise<void>; release: () => void } {
    this.#left = number
    this.#held = signal()
    this.#released = signal()
    return { held: this.#held.seen, release: () => this.#released.give() }
  }

  /** Holds nobody any more. */
  open(): void {
    this.#left = 0
  }

  async pass(): Promise<void> {
    if (--this.#left !== 0) return
    this.#held.give()
    await this.#released.seen
  }
}

const isAdmin = ({ auth }: Caller): boolean => auth?.scopes?.includes('admin') === true

function makeServer(turnstile: Turnstile): Server<App> {
  const pass = (): Promise<void> => turnstile.pass()
  const visible = async (caller: Caller, context: App): Promise<boolean> => {
    await pass()
    return isAdmin(caller) && context.scopes.includes('admin')
  }
  const form = { type: 'object', properties: { q: { type: 'string' } } } as const
  const suggest = async (): Promise<string[]> => {
    await pass()
    return ['SECRET']
  }
  const inner = createServer<App>({
    name: 'inner',
    version: '1',
    context: async (caller) => {
      await pass()
      return { scopes: caller.auth?.scopes ?? [] }
    },
    middleware: [
      async (_operation, next) => {
        await pass()
        return next()
      },
    ],
    tools: [tool({ name: 'mounted', scopes: ['admin'], run: () => 'SECRET' })],
    prompts: [prompt({ name: 'mounted_prompt', visible, run: () => 'SECRET' })],
    resources: [resource({ uri: 'x://mounted', name: 'mounted', scopes: ['admin'], read: () => 'SECRET' })],
  })
  const outer = createServer<App>({
    name: 'outer',
    version: '1',
    context: async (caller) => {
      await pass()
      return { scopes: caller.auth?.scopes ?? [] }
    },
    middleware: [
      async (_operation, next) => {
        await pass()
        return next()
      },
    ],
    tools: [
      tool({ name: 'scoped', description: 'SECRET', scopes: ['admin'], run: () => 'SECRET' }),
      tool({ name: 'hidden', visible, run: () => 'SECRET' }),
      tool({
        name: 'by_handler',
        async run(_input, ctx) {
          await pass()
          requireScopes(ctx, 'admin')
          return 'SECRET'
        },
      }),
      tool({
        name: 'by_caller',
        async run(_input, ctx) {
          await pass()
          return isAdmin(ctx.caller) && ctx.auth === ctx.caller.auth ? 'SECRET' : 'refused'
        },
      }),
      tool({
        name: 'by_connection',
        async run(_input, ctx) {
          await pass()
          return ctx.caller.connection.auth?.scopes?.includes('admin') ? 'SECRET' : 'no token of a connection'
        },
      }),
      tool({
        name: 'by_context',
        async run(_input, ctx) {
          await pass()
          return ctx.context.scopes.includes('admin') ? 'SECRET' : 'refused'
        },
      }),
      tool({ name: 'job', scopes: ['admin'], task: true, run: () => 'SECRET' }),
      tool({
        name: 'endless',
        scopes: ['admin'],
        task: true,
        run: (_input, ctx) => new Promise((resolve) => ctx.signal.addEventListener('abort', () => resolve('SECRET'))),
      }),
    ],
    prompts: [
      prompt({
        name: 'vault',
        description: 'SECRET',
        scopes: ['admin'],
        arguments: form,
        complete: { q: suggest },
        run: () => 'SECRET',
      }),
      prompt({ name: 'hidden', visible, run: () => 'SECRET' }),
    ],
    resources: [
      resource({ uri: 'x://vault', name: 'scoped', description: 'SECRET', scopes: ['admin'], read: () => 'SECRET' }),
      resource({ uri: 'x://hidden', name: 'hidden', visible, read: () => 'SECRET' }),
      resourceTemplate({
        uriTemplate: 'y://{id}/vault',
        name: 'template',
        description: 'SECRET',
        scopes: ['admin'],
        complete: { id: suggest },
        async list() {
          await pass()
          return [{ uri: 'y://1/vault', name: 'SECRET' }]
        },
        read: () => 'SECRET',
      }),
    ],
  })
  outer.mount(inner, { prefix: 'in_' })
  return outer as Server<App>
}

interface Message {
  readonly method: string
  readonly params: { [member: string]: unknown }
}

/** A session, in which every message may come with another token. */
interface Line {
  /** The whole answer as text. */
  send(token: Token, message: Message | Message[]): Promise<string>
  close(): Promise<void>
}

let lastId = 0
const bodyOf = (message: Message | Message[]): object =>
  Array.isArray(message) ? message.map(bodyOf) : { jsonrpc: '2.0', id: ++lastId, ...message }
const headersFor = (token: Token): { [name: string]: string } => ({ authorization: token })

async function overSession(served: Served, revision: string): Promise<Line> {
  const client = await SessionClient.open(served, revision, headersFor('weak'))
  return {
    send: async (token, message) => (await client.post(bodyOf(message), headersFor(token))).text(),
    close: async () => {},
  }
}

async function overHttpSse(served: Served, revision: string): Promise<Line> {
  const stream = await served.fetch('/sse', { headers: { accept: 'text/event-stream', ...headersFor('weak') } })
  const events = new EventReader(stream)
  const path = (await events.next())!.data!
  const waiting = new Map<number, (text: string) => void>()
  const sent = (body: object, token: Token): Promise<Response> => served.fetch(path, post(body, headersFor(token)))
  await sent(initializeRequest(revision), 'weak')
  await events.next()
  await sent({ jsonrpc: '2.0', method: 'notifications/initialized' }, 'weak')
  const reading = (async () => {
    for (let event = await events.next(); event !== undefined; event = await events.next())
      waiting.get(JSON.parse(event.data!).id)?.(event.data!)
  })()
  return {
    async send(token, message) {
      const body = bodyOf(message)
      const answered = new Promise<string>((resolve) => waiting.set(lastId, resolve))
      const response = await sent(body, token)
      return response.status === 202 ? answered : response.text()
    },
    async close() {
      await events.cancel()
      await reading
    },
  }
}

const call = (name: string, more: object = {}): Message => ({
  method: 'tools/call',
  params: { name, arguments: {}, ...more },
})
const ref = { type: 'ref/prompt', name: 'vault' }
const template = { type: 'ref/resource', uri: 'y://{id}/vault' }

/** Each shows SECRET to the strong token, and to nobody else. */
const operations: [name: string, message: Message][] = [
  ['a tool', call('scoped')],
  ['a hidden tool', call('hidden')],
  ['a tool that asks for scopes itself', call('by_handler')],
  ['a tool that reads ctx.caller', call('by_caller')],
  ['a tool that reads ctx.context', call('by_context')],
  ['a tool of a mounted server', call('in_mounted')],
  ['prompts/get', { method: 'prompts/get', params: { name: 'vault' } }],
  ['a hidden prompt', { method: 'prompts/get', params: { name: 'hidden' } }],
  ['a prompt of a mounted server', { method: 'prompts/get', params: { name: 'in_mounted_prompt' } }],
  ['resources/read', { method: 'resources/read', params: { uri: 'x://vault' } }],
  ['a hidden resource', { method: 'resources/read', params: { uri: 'x://hidden' } }],
  ['a resource of a template', { method: 'resources/read', params: { uri: 'y://1/vault' } }],
  ['a resource of a mounted server', { method: 'resources/read', params: { uri: 'x://mounted' } }],
  ['tools/list', { method: 'tools/list', params: {} }],
  ['prompts/list', { method: 'prompts/list', params: {} }],
  ['resources/list', { method: 'resources/list', params: {} }],
  ['resources/templates/list', { method: 'resources/templates/list', params: {} }],
  ['completion of a prompt', { method: 'completion/complete', params: { ref, argument: { name: 'q', value: '' } } }],
  [
    'completion of a template',
    { method: 'completion/complete', params: { ref: template, argument: { name: 'id', value: '' } } },
  ],
]

const shown = (text: string): boolean => text.includes('SECRET')

describe('a request is judged by its own token', () => {
  const turnstile = new Turnstile()
  let served: Served
  let line: Line | undefined

  async function open(how: (served: Served, revision: string) => Promise<Line>, revision: string): Promise<void> {
    const auth = async (asking: { header(name: string): string | undefined }): Promise<AuthInfo> => {
      await turnstile.pass()
      return authOf(asking.header('authorization') as Token)
    }
    served = await serve(makeServer(turnstile), { auth })
    line = await how(served, revision)
  }
  afterEach(async () => {
    await line?.close()
    await served.close()
  })

  /** Holds the weak request at each of its hooks in turn, while the strong one is answered. */
  async function interleave(
    message: () => Promise<Message | Message[]> | Message | Message[],
    shows: (text: string) => boolean,
  ): Promise<number> {
    for (let number = 1; ; number++) {
      const [forWeak, forStrong] = [await message(), await message()]
      const { held, release } = turnstile.holdAt(number)
      const weak = line!.send('weak', forWeak)
      const isHeld = await Promise.race([held.then(() => true), weak.then(() => false)])
      if (!isHeld) turnstile.open()
      const strong = await line!.send('strong', forStrong)
      expect(shows(strong), `the strong token, ${strong}`).toBe(true)
      release()
      const text = await weak
      expect(shows(text), `the weak token, held at hook ${number}: ${text}`).toBe(false)
      if (!isHeld) return number - 1
    }
  }

  const lines: [string, (served: Served, revision: string) => Promise<Line>, string][] = [
    ...['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].map(
      (revision): [string, typeof overSession, string] => [`Streamable HTTP, ${revision}`, overSession, revision],
    ),
    ['HTTP+SSE', overHttpSse, '2024-11-05'],
  ]

  test.each(lines)('over %s', async (_name, how, revision) => {
    await open(how, revision)
    let hooks = 0
    for (const [, message] of operations) hooks += await interleave(() => message, shown)
    const subscribe = { method: 'resources/subscribe', params: { uri: 'x://vault' } }
    hooks += await interleave(
      () => subscribe,
      (text) => text.includes('"result":{}'),
    )
    expect(hooks).toBeGreaterThan(2 * operations.length)
  })

  test('a tool that reads the token of the connection finds none', async () => {
    await open(overSession, '2025-11-25')
    for (const token of ['weak', 'strong'] as const)
      expect(await line!.send(token, call('by_connection'))).toContain('no token of a connection')
  })

  test('in a batch', async () => {
    await open(overSession, '2025-03-26')
    const batch = (): Message[] => [call('scoped'), { method: 'prompts/get', params: { name: 'vault' } }]
    expect(await interleave(batch, shown)).toBeGreaterThan(2)
  })

  test('tasks', async () => {
    await open(overSession, '2025-11-25')
    const start = async (name: string): Promise<{ taskId: string }> =>
      JSON.parse(await line!.send('strong', call(name, { task: {} }))).result.task
    const about = (method: string, name: string) => async (): Promise<Message> => ({
      method,
      params: await start(name),
    })
    const succeeds = (text: string): boolean => text.includes('"result":')
    expect(await interleave(about('tasks/get', 'job'), succeeds)).toBeGreaterThan(0)
    expect(await interleave(about('tasks/result', 'job'), shown)).toBeGreaterThan(0)
    expect(await interleave(about('tasks/cancel', 'endless'), succeeds)).toBeGreaterThan(0)
    expect(await interleave(about('tasks/list', 'job'), (text) => text.includes('"taskId"'))).toBeGreaterThan(0)
    expect(await interleave(() => call('job', { task: {} }), succeeds)).toBeGreaterThan(1)
  })
})

/** Without hooks to hold: the second message comes after one turn of the weak request, after two, and so on. */
test('a request is judged by its own token, at every turn that it takes', async () => {
  const server = makeServer(new Turnstile())
  const context = {
    dispatcher: dispatcherOf(server),
    limits: {},
    log: undefined,
    keepAlive: new KeepAliveTimer(0),
    retryMs: 0,
    now: () => 0,
  }
  const session = new HttpSession({ id: 's', principal: 'ada', initialize: {} }, context, authOf('weak'))
  const sendIn = (token: Token, body: object): Promise<string> =>
    new Promise((resolve) =>
      session.receive(body, authOf(token), {
        send: (payload) => resolve(JSON.stringify(payload)),
        unanswered: () => resolve('unanswered'),
      }),
    )
  await sendIn('weak', initializeRequest())
  let interleavings = 0
  for (const [name, message] of operations) {
    // Modules that are loaded on demand are there from then on.
    expect(shown(await sendIn('strong', bodyOf(message)))).toBe(true)
    for (let wait = 0; ; wait++) {
      let isAnswered = false
      const weak = sendIn('weak', bodyOf(message)).finally(() => {
        isAnswered = true
      })
      for (let turn = 0; turn < wait; turn++) await undefined
      if (isAnswered) break
      const strong = sendIn('strong', bodyOf(message))
      expect(shown(await weak), `${name} after ${wait} turns`).toBe(false)
      expect(shown(await strong)).toBe(true)
      interleavings++
    }
  }
  expect(interleavings).toBeGreaterThan(5 * operations.length)
  await session.end()
})

describe('what a session shares among its tokens', () => {
  let served: Served
  afterEach(() => served.close())
  const auth = ({ header }: { header(name: string): string | undefined }): AuthInfo => {
    const token = header('authorization')!
    return { principal: 'ada', scopes: token.startsWith('strong') ? scopesOf.strong : scopesOf.weak, claims: { token } }
  }
  const asking = (request: { header(name: string): string | undefined }): AuthInfo =>
    auth({ header: (name) => request.header(name) })
  const textOf = async (response: Response): Promise<string> => JSON.parse(await response.text()).result.content[0].text

  test('a context belongs to a token: another token gets another one, and those of former tokens end', async () => {
    const made: string[] = []
    const ended: string[] = []
    const server = createServer({
      name: 'contexts',
      version: '1',
      context: ({ auth }) => {
        const { token } = auth!.claims as { token: string }
        made.push(token)
        return { token, [Symbol.dispose]: () => void ended.push(token) }
      },
      tools: [tool({ name: 'whose', run: (_input, ctx) => (ctx.context as { token: string }).token })],
    })
    served = await serve(server, { auth: asking })
    const client = await SessionClient.open(served, '2025-11-25', { authorization: 'a' })
    const whose = async (authorization: string): Promise<string> =>
      textOf(await client.call('whose', {}, {}, { authorization }))
    for (const token of ['a', 'a', 'b', 'a', 'b']) expect(await whose(token)).toBe(token)
    expect(made).toEqual(['a', 'b'])
    for (const token of ['c', 'd', 'e']) expect(await whose(token)).toBe(token)
    await expect.poll(() => ended).toEqual(['a', 'b'])
    await client.delete()
    await expect.poll(() => ended.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('a context does not end while a request uses it', async () => {
    const [entered, release] = [signal(), signal()]
    const ended: string[] = []
    const server = createServer({
      name: 'contexts',
      version: '1',
      context: ({ auth }) => {
        const { token } = auth!.claims as { token: string }
        return { [Symbol.dispose]: () => void ended.push(token) }
      },
      tools: [
        tool({
          name: 'wait',
          async run() {
            entered.give()
            await release.seen
            return [...ended].join()
          },
        }),
        tool({ name: 'quick', run: () => 'done' }),
      ],
    })
    served = await serve(server, { auth: asking })
    const client = await SessionClient.open(served, '2025-11-25', { authorization: 'open' })
    const waiting = client.call('wait', {}, {}, { authorization: 'slow' }, 2)
    await entered.seen
    for (const token of ['a', 'b', 'c', 'd']) await client.call('quick', {}, {}, { authorization: token }, 3)
    await expect.poll(() => ended).toEqual(['a'])
    release.give()
    expect(await textOf(await waiting)).toBe('a')
  })

  test('a question may be answered with another token, and the call keeps its own', async () => {
    const form = { type: 'object', properties: { name: { type: 'string' } } } as const
    const server = createServer({
      name: 'questions',
      version: '1',
      tools: [
        tool({
          name: 'ask',
          async run(_input, ctx) {
            const before = ctx.auth
            await ctx.elicit('Name?', form)
            return ctx.auth === before && ctx.caller.auth === before && !isAdmin(ctx.caller) ? 'still weak' : 'changed'
          },
        }),
      ],
    })
    served = await serve(server, { auth: asking })
    const client = await SessionClient.open(served, '2025-11-25', { authorization: 'weak' }, { elicitation: {} })
    const events = new EventReader(await client.call('ask'))
    const { id } = await events.message()
    const answer = { jsonrpc: '2.0', id, result: { action: 'accept', content: { name: 'Ada' } } }
    await client.post(answer, { authorization: 'strong' })
    expect((await events.message()).result).toMatchObject({ content: [{ text: 'still weak' }] })
  })

  test('notifications are judged by the token that opened their stream', async () => {
    const server = createServer({
      name: 'news',
      version: '1',
      tools: [tool({ name: 'public', run: () => '' }), tool({ name: 'secret', scopes: ['admin'], run: () => '' })],
      resources: [resource({ uri: 'x://vault', name: 'vault', scopes: ['admin'], read: () => '' })],
    })
    served = await serve(server, { auth: asking })
    const client = await SessionClient.open(served, '2025-11-25', { authorization: 'weak' })
    const strong = { authorization: 'strong' }
    const subscribe = { jsonrpc: '2.0', id: 5, method: 'resources/subscribe', params: { uri: 'x://vault' } }
    expect(await (await client.post(subscribe, strong)).json()).toMatchObject({ result: {} })
    const change = (): void => {
      server.resources.changed('x://vault')
      server.tools.remove('secret')
      server.tools.add(tool({ name: 'secret', scopes: ['admin'], run: () => '' }))
    }
    const weak = new EventReader(await client.get())
    // A later request with the strong token changes nothing for the stream of the weak one.
    await client.call('public', {}, {}, strong)
    change()
    await new Promise((resolve) => setImmediate(resolve))
    server.prompts.add(prompt({ name: 'for_all', run: () => '' }))
    expect((await weak.message()).method).toBe('notifications/prompts/list_changed')
    await weak.cancel()
    const stream = new EventReader(await client.get(strong))
    await client.call('public')
    change()
    const heard = [(await stream.message()).method, (await stream.message()).method]
    expect(heard.toSorted()).toEqual(['notifications/resources/updated', 'notifications/tools/list_changed'])
    await stream.cancel()
  })

  test('a stream is carried on by tokens with the same rights, and by no other of the principal', async () => {
    const held = signal()
    const server = createServer({
      name: 'streams',
      version: '1',
      tools: [
        tool({
          name: 'secret',
          scopes: ['admin'],
          async run(_input, ctx) {
            await ctx.progress(1, 2)
            await held.seen
            return 'SECRET'
          },
        }),
      ],
    })
    // The token itself is new each time, as after a renewal.
    served = await serve(server, { auth: (request) => authOf(request.header('authorization') as Token) })
    const client = await SessionClient.open(served, '2025-11-25', { authorization: 'strong' })
    const calling = new EventReader(await client.call('secret', {}, { progressToken: 1 }))
    let event = await calling.next()
    while (event?.data?.includes('progress') !== true) event = await calling.next()
    const { id } = event
    const resume = (authorization: string): Promise<Response> => client.get({ authorization, 'last-event-id': id })
    // While it is being written, and when it is complete.
    expect((await resume('weak')).status).toBe(400)
    held.give()
    while (event !== undefined) event = await calling.next()
    expect((await resume('weak')).status).toBe(400)
    const rest = await resume('strong')
    expect([rest.status, await rest.text()]).toEqual([200, expect.stringContaining('SECRET')])
  })

  test('notifications that waited for one token are not for the next one', async () => {
    const server = createServer({
      name: 'news',
      version: '1',
      resources: [resource({ uri: 'x://vault', name: 'vault', scopes: ['admin'], read: () => '' })],
    })
    served = await serve(server, { auth: asking })
    const client = await SessionClient.open(served, '2025-11-25', { authorization: 'strong' })
    const subscribe = { jsonrpc: '2.0', id: 5, method: 'resources/subscribe', params: { uri: 'x://vault' } }
    expect(await (await client.post(subscribe)).json()).toMatchObject({ result: {} })
    server.resources.changed('x://vault')
    await new Promise((resolve) => setImmediate(resolve))
    const weak = new EventReader(await client.get({ authorization: 'weak' }))
    server.prompts.add(prompt({ name: 'for_all', run: () => '' }))
    expect((await weak.message()).method).toBe('notifications/prompts/list_changed')
    await weak.cancel()
  })

  test('a refused subscription leaves one that was granted alone', async () => {
    const server = createServer({
      name: 'subscriptions',
      version: '1',
      resources: [resource({ uri: 'x://vault', name: 'vault', scopes: ['admin'], read: () => '' })],
    })
    served = await serve(server, { auth: asking })
    const strong = { authorization: 'strong' }
    const client = await SessionClient.open(served, '2025-11-25', strong)
    const subscribe = { jsonrpc: '2.0', id: 5, method: 'resources/subscribe', params: { uri: 'x://vault' } }
    await client.post(subscribe)
    expect((await client.post(subscribe, { authorization: 'weak' })).status).toBe(403)
    const stream = new EventReader(await client.get())
    server.resources.changed('x://vault')
    expect((await stream.message()).method).toBe('notifications/resources/updated')
    await stream.cancel()
  })

  test('a task has the token of its call, also while another one is used', async () => {
    const [entered, release] = [signal(), signal()]
    const server = createServer({
      name: 'tasks',
      version: '1',
      tools: [
        tool({
          name: 'job',
          task: true,
          async run(_input, ctx) {
            entered.give()
            await release.seen
            return isAdmin(ctx.caller) ? 'strong' : 'still weak'
          },
        }),
      ],
    })
    served = await serve(server, { auth: asking })
    const client = await SessionClient.open(served, '2025-11-25', { authorization: 'weak' })
    const strong = { authorization: 'strong' }
    const params = { name: 'job', arguments: {}, task: {} }
    const created = await client.post({ jsonrpc: '2.0', id: 5, method: 'tools/call', params })
    const { taskId } = JSON.parse(await created.text()).result.task
    await entered.seen
    await client.post({ jsonrpc: '2.0', id: 6, method: 'ping' }, strong)
    release.give()
    const result = await client.post({ jsonrpc: '2.0', id: 7, method: 'tasks/result', params: { taskId } }, strong)
    expect(await textOf(result)).toBe('still weak')
  })

  test('roots that changed are handled with the token of the notification', async () => {
    const [entered, release, done] = [signal(), signal(), signal<unknown>()]
    const server = createServer({
      name: 'roots',
      version: '1',
      tools: [tool({ name: 'a', run: () => '' })],
      onRootsChanged: async (_roots, caller) => {
        entered.give()
        await release.seen
        done.give(caller.auth?.scopes)
      },
    })
    served = await serve(server, { auth: asking })
    const client = await SessionClient.open(served, '2025-11-25', { authorization: 'strong' }, { roots: {} })
    await client.post({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' }, { authorization: 'weak' })
    await entered.seen
    await client.call('a')
    release.give()
    expect(await done.seen).toEqual(scopesOf.weak)
  })
})
