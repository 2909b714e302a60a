import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Client } from '../../client/client.ts'
import { connect } from '../../client/connect.ts'
import { Recorder } from '../../jsonrpc/channel.suite.ts'
import { isObject } from '../../jsonrpc/classify.ts'
import type { JsonObject, Payload } from '../../jsonrpc/message.ts'
import { resource } from '../../server/features/resource.ts'
import { tool } from '../../server/features/tool.ts'
import { createServer } from '../../server/server.ts'
import { portChannel } from '../../transport/post-message.ts'
import { appTool } from '../define.ts'
import { type ConnectToHostOptions, connectToHost } from '../view/connect.ts'
import { appsCapability, appsVersion } from '../vocabulary.ts'
import { AppBridge, type AppBridgeOptions, type AppRequest } from './bridge.ts'

const calls: string[] = []
const noted = (name: string, visibility?: ('model' | 'app')[]) =>
  appTool({
    name,
    ...(visibility && { visibility }),
    run: () => {
      calls.push(name)
      return `ran ${name}`
    },
  })
const slow = tool({
  name: 'slow',
  async run(_input, ctx) {
    await ctx.progress(1, 2, 'half')
    await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))
    calls.push('slow was cancelled')
    return 'late'
  },
})
const sum = tool({
  name: 'sum',
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  run: ({ a, b }) => ({ sum: a + b }),
})
const motto = resource({ uri: 'note:///motto', name: 'motto', read: () => 'Measure twice.' })
const server = createServer({
  name: 'a',
  version: '1',
  tools: [noted('both'), noted('hidden', ['model']), noted('private', ['app']), slow, sum],
  resources: [motto],
})

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
  calls.length = 0
})

async function openClient(): Promise<Client> {
  const client = await connect(server, { capabilities: appsCapability })
  closers.push(() => client.close())
  return client
}

/** A bridge, and the port at which its view would sit. */
async function openBridge(options: Partial<AppBridgeOptions> = {}): Promise<{ bridge: AppBridge; port: MessagePort }> {
  const client = options.client ?? (await openClient())
  const { port1, port2 } = new MessageChannel()
  const bridge = new AppBridge(portChannel(port1 as MessagePort), { client, teardownTimeoutMs: 100, ...options })
  closers.push(() => bridge.close())
  return { bridge, port: port2 as MessagePort }
}

async function openView(host: Partial<AppBridgeOptions> = {}, view: Partial<ConnectToHostOptions> = {}) {
  const { bridge, port } = await openBridge(host)
  const channel = portChannel(port)
  const connection = await connectToHost({ info: { name: 'view', version: '1' }, channel, ...view })
  closers.push(() => connection.close())
  await bridge.initialized
  return { bridge, view: connection }
}

/** A view that speaks for itself, message by message. */
async function openRaw(host: Partial<AppBridgeOptions> = {}) {
  const { bridge, port } = await openBridge(host)
  const channel = portChannel(port)
  const recorder = new Recorder()
  channel.open(recorder)
  closers.push(() => channel.close())
  const send = (message: unknown): void => void channel.send(message as Payload)
  const ask = async (id: number, method: string, params: JsonObject = {}): Promise<JsonObject> => {
    send({ jsonrpc: '2.0', id, method, params })
    for (let seen = 0; ; seen = recorder.arrivals.length) {
      const found = recorder.values.find((value) => isObject(value) && value.id === id && value.method === undefined)
      if (found) return found as JsonObject
      await recorder.atLeast(seen + 1)
    }
  }
  const hello = async (capabilities: JsonObject = {}): Promise<JsonObject> => {
    const params = {
      appInfo: { name: 'raw', version: '1' },
      appCapabilities: capabilities,
      protocolVersion: appsVersion,
    }
    const answer = await ask(1000, 'ui/initialize', params)
    send({ jsonrpc: '2.0', method: 'ui/notifications/initialized', params: {} })
    await bridge.initialized
    return answer
  }
  const methodsHeard = (): unknown[] =>
    recorder.values.flatMap((value) => (isObject(value) && value.method !== undefined ? [value.method] : []))
  return { bridge, recorder, send, ask, hello, methodsHeard }
}

describe('the handshake', () => {
  // [xapp.init.view-request] [xapp.init.host-context] [xapp.init.host-capabilities] [xapp.display.view-declares]
  test('tells the view about the host, and the host about the view', async () => {
    const { bridge, view } = await openView(
      {
        info: { name: 'chat', version: '2' },
        context: { theme: 'dark', locale: 'de-DE' },
        callTool: true,
        openLink: () => {},
        sandbox: { csp: { connectDomains: ['https://a.example'] } },
      },
      { displayModes: ['inline', 'pip'] },
    )
    expect(view.host).toEqual({ name: 'chat', version: '2' })
    expect(view.context).toEqual({ theme: 'dark', locale: 'de-DE' })
    expect(view.capabilities).toEqual({
      serverTools: {},
      openLinks: {},
      sandbox: { csp: { connectDomains: ['https://a.example'] }, permissions: {} },
    })
    expect(await bridge.initialized).toEqual({
      info: { name: 'view', version: '1' },
      capabilities: { availableDisplayModes: ['inline', 'pip'] },
      protocolVersion: '2026-01-26',
    })
  })

  test('comes before everything else, in both directions [xapp.init.host-waits]', async () => {
    const { bridge, recorder, ask, hello, methodsHeard } = await openRaw({
      callTool: true,
      context: { theme: 'light' },
    })
    bridge.toolInputPartial({ a: 1 })
    bridge.toolInputPartial({ a: 12 })
    bridge.toolInput({ a: 123 })
    bridge.toolResult({ content: [{ type: 'text', text: 'done' }] })
    bridge.updateContext({ theme: 'dark' })
    expect(await ask(1, 'tools/call', { name: 'both' })).toMatchObject({ error: { code: -32600 } })
    expect(await ask(2, 'ping')).toMatchObject({ result: {} })
    expect(methodsHeard()).toEqual([])
    expect(await hello()).toMatchObject({ result: { hostContext: { theme: 'dark' } } })
    await recorder.atLeast(6)
    expect(recorder.values.slice(3)).toMatchObject([
      { method: 'ui/notifications/tool-input-partial', params: { arguments: { a: 12 } } },
      { method: 'ui/notifications/tool-input', params: { arguments: { a: 123 } } },
      { method: 'ui/notifications/tool-result', params: { content: [{ type: 'text', text: 'done' }] } },
    ])
    expect(calls).toEqual([])
  })

  test.each([
    [{}, 'appInfo'],
    [{ appInfo: { name: 'a' } }, 'appInfo'],
    [{ appInfo: { name: 'a', version: '1' }, appCapabilities: [] }, 'appCapabilities'],
    [{ appInfo: { name: 'a', version: '1' }, appCapabilities: {} }, 'protocolVersion'],
  ])('is refused with %j', async (params, message) => {
    const { ask } = await openRaw()
    const error = { code: -32602, message: expect.stringContaining(message) }
    expect(await ask(1, 'ui/initialize', params)).toMatchObject({ error })
  })

  test('happens once', async () => {
    const { ask, hello } = await openRaw()
    await hello()
    const params = { appInfo: { name: 'again', version: '1' }, protocolVersion: '1' }
    expect(await ask(2, 'ui/initialize', params)).toMatchObject({ error: { code: -32600 } })
  })
})

describe('the call that a view shows', () => {
  // [xapp.tool-input.send] [xapp.tool-input.partial] [xapp.tool-input.partial-stop] [xapp.tool-result.send]
  test('arrives in order: partial input, input, result', async () => {
    const seen: unknown[] = []
    const done = deferred<void>()
    const client = await openClient()
    const { bridge } = await openView(
      { client },
      {
        onToolInputPartial: (args) => seen.push({ partial: args }),
        onToolInput: (args) => seen.push({ input: args }),
        onToolResult: (result) => {
          seen.push(result)
          done.resolve()
        },
      },
    )
    bridge.toolInputPartial({ a: 1 })
    bridge.toolInput({ a: 1, b: 2 })
    bridge.toolInputPartial({ a: 1, b: 'late' })
    bridge.toolResult(await client.callTool('sum', { a: 1, b: 2 }))
    await done.promise
    expect(seen).toEqual([
      { partial: { a: 1 } },
      { input: { a: 1, b: 2 } },
      {
        content: [{ type: 'text', text: '{"sum":3}' }],
        structured: { sum: 3 },
        structuredContent: { sum: 3 },
        isError: false,
        text: '{"sum":3}',
        meta: undefined,
      },
    ])
  })

  test('can be cancelled [xapp.tool-cancelled.send]', async () => {
    const cancelled = deferred<string>()
    const { bridge } = await openView({}, { onToolCancelled: cancelled.resolve })
    bridge.toolCancelled('the user said no')
    expect(await cancelled.promise).toBe('the user said no')
  })

  test('has one input and one end', async () => {
    const { bridge } = await openBridge()
    const misuse = expect.objectContaining({ code: 'invalid_argument' })
    expect(() => bridge.toolResult({ content: [] })).toThrow(misuse)
    bridge.toolInput({})
    expect(() => bridge.toolInput({})).toThrow(misuse)
    bridge.toolResult({ content: [] })
    expect(() => bridge.toolCancelled()).toThrow(misuse)
  })
})

describe('tools and resources', () => {
  // [xapp.vis.reject-app-call] [xapp.vis.same-server] [xapp.host.forward-to-server]
  test('a view calls what is visible to apps, and nothing else', async () => {
    const { view } = await openView({ callTool: true })
    expect((await view.callTool('both')).text).toBe('ran both')
    expect((await view.callTool('private')).text).toBe('ran private')
    for (const name of ['hidden', 'nowhere', '__proto__', 'constructor']) {
      const refusal = { code: -32602, message: `Tool ${JSON.stringify(name)} is not available to apps` }
      await expect(view.callTool(name)).rejects.toMatchObject(refusal)
    }
    expect(calls).toEqual(['both', 'private'])
  })

  test('structured results and the errors of tools reach the view', async () => {
    const { view } = await openView({ callTool: true })
    expect((await view.callTool<{ sum: number }>('sum', { a: 2, b: 3 })).structured).toEqual({ sum: 5 })
    expect((await view.callTool('sum', { a: 'x' })).isError).toBe(true)
  })

  test('the host decides about each call [xapp.host.block-or-ask]', async () => {
    const asked: unknown[] = []
    const { view } = await openView({
      callTool: async ({ tool, arguments: args }) => asked.push({ name: tool.name, args }) > 1,
      readResource: ({ uri }) => asked.push(uri) > 99,
    })
    await expect(view.callTool('both', { x: 1 })).rejects.toMatchObject({ code: -32000 })
    expect(calls).toEqual([])
    expect((await view.callTool('both')).text).toBe('ran both')
    await expect(view.readResource('note:///motto')).rejects.toMatchObject({ code: -32000 })
    expect(asked).toEqual([{ name: 'both', args: { x: 1 } }, { name: 'both', args: {} }, 'note:///motto'])
  })

  test('only a plain yes is consent', async () => {
    const { view } = await openView({ callTool: () => 'yes' as never })
    await expect(view.callTool('both')).rejects.toMatchObject({ code: -32000 })
    expect(calls).toEqual([])
  })

  test('a resource is read, and its absence is told', async () => {
    const { view } = await openView({ readResource: true })
    expect((await view.readResource('note:///motto')).contents).toMatchObject([{ text: 'Measure twice.' }])
    await expect(view.readResource('note:///none')).rejects.toMatchObject({ code: -32602 })
  })

  test('progress reaches the view, and giving up reaches the tool', async () => {
    const stop = new AbortController()
    const { view } = await openView({ callTool: true })
    const progress: unknown[] = []
    const call = view.callTool(
      'slow',
      {},
      { signal: stop.signal, onProgress: (step) => progress.push(step) && stop.abort() },
    )
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
    expect(progress).toMatchObject([{ progress: 1, total: 2, message: 'half' }])
    await expect.poll(() => calls).toEqual(['slow was cancelled'])
  })

  test('what the host does not offer does not exist', async () => {
    const { hello, ask } = await openRaw()
    await hello()
    const wanted = [
      'tools/call',
      'resources/read',
      'ui/open-link',
      'ui/message',
      'ui/update-model-context',
      'tools/list',
      'sampling/createMessage',
      'constructor',
    ]
    for (const [id, method] of wanted.entries())
      expect(await ask(id, method)).toMatchObject({ error: { code: -32601 } })
  })
})

describe('what a view wants from the host', () => {
  test('links are opened, if they lead to the web [xapp.link.open]', async () => {
    const opened: string[] = []
    const { view } = await openView({ openLink: ({ href }) => void opened.push(href) })
    await view.openLink('https://example.com/a')
    const evil = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      '\u0001javascript:x',
      'data:text/html,x',
      'file:///etc/passwd',
      'blob:https://a/b',
      'ui://a/b',
      '/relative',
      'https://bank.example@evil.example/',
      '',
    ]
    for (const url of evil) await expect(view.openLink(url)).rejects.toMatchObject({ code: -32000 })
    expect(opened).toEqual(['https://example.com/a'])
  })

  // [xapp.message.add] [xapp.model-context.view]
  test('messages and model context are passed on, whole', async () => {
    const got: unknown[] = []
    const { view } = await openView({
      message: (message) => void got.push(message),
      updateModelContext: (context) => void got.push(context),
    })
    await view.sendMessage('Hello')
    await view.updateModelContext({ content: 'Page 2', structured: { page: 2 } })
    expect(got).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
      { content: [{ type: 'text', text: 'Page 2' }], structuredContent: { page: 2 } },
    ])
  })

  test('a message may be one block; nonsense is refused [xapp.sec.validate-messages]', async () => {
    const got: unknown[] = []
    const { hello, ask, send, bridge } = await openRaw({
      message: ({ content }) => void got.push(content),
      openLink: () => {},
      callTool: true,
    })
    await hello()
    expect(await ask(1, 'ui/message', { role: 'user', content: { type: 'text', text: 'one' } })).toMatchObject({
      result: {},
    })
    const nonsense: [string, JsonObject][] = [
      ['ui/message', { role: 'system', content: [{ type: 'text', text: 'x' }] }],
      ['ui/message', { role: 'user', content: [{ type: 'script', text: 'x' }] }],
      ['ui/message', { role: 'user', content: [{ type: 'text' }] }],
      ['ui/message', { role: 'user' }],
      ['ui/open-link', {}],
      ['tools/call', { name: 7 }],
      ['tools/call', { name: 'both', arguments: [] }],
      ['ui/request-display-mode', { mode: 'popup' }],
    ]
    for (const [index, [method, params]] of nonsense.entries()) {
      expect(await ask(10 + index, method, params)).toMatchObject({ error: { code: -32602 } })
    }
    for (const junk of [7, 'text', [], { jsonrpc: '1.0' }, { jsonrpc: '2.0' }]) send(junk)
    send({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { width: 'wide', height: -1 } })
    expect(await ask(99, 'ping')).toMatchObject({ result: {} })
    expect(got).toEqual([[{ type: 'text', text: 'one' }]])
    expect(calls).toEqual([])
    await bridge.close()
  })

  // [xapp.display.view-checks] [xapp.display.host-returns-mode] [xapp.display.host-current-if-unavailable]
  test('another display mode is granted if both sides have it', async () => {
    const asked: string[] = []
    const changes: unknown[] = []
    const { view, bridge } = await openView(
      {
        context: { displayMode: 'inline', availableDisplayModes: ['inline', 'fullscreen', 'pip'] },
        requestDisplayMode: (mode) => void asked.push(mode),
      },
      { displayModes: ['inline', 'fullscreen'], onContextChanged: (change) => void changes.push(change) },
    )
    expect(await view.requestDisplayMode('fullscreen')).toBe('fullscreen')
    expect(await view.requestDisplayMode('pip')).toBe('fullscreen')
    expect(asked).toEqual(['fullscreen'])
    expect(changes).toEqual([{ displayMode: 'fullscreen' }])
    expect(view.context.displayMode).toBe('fullscreen')
    // [xapp.display.host-no-unsupported]
    expect(() => bridge.updateContext({ displayMode: 'pip' })).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }),
    )
  })

  // [xapp.display.view-handles-other] [xapp.display.host-decline]
  test('a mode that the host refuses or lacks stays as it is', async () => {
    const offered = { availableDisplayModes: ['inline', 'fullscreen'] as const }
    const { view } = await openView(
      { context: offered, requestDisplayMode: () => false },
      { displayModes: ['inline', 'fullscreen'] },
    )
    expect(await view.requestDisplayMode('fullscreen')).toBe('inline')
    expect(await view.requestDisplayMode('pip')).toBe('inline')
  })

  // [xapp.context.partial-update] [xapp.context.merge] [xapp.size.view-reports] [xapp.size.host-listens]
  test('context changes are merged; sizes and logs arrive', async () => {
    const changed = deferred<unknown>()
    const got: unknown[] = []
    const { view, bridge } = await openView(
      {
        context: { theme: 'light', locale: 'de' },
        log: (message) => void got.push(message),
        sizeChanged: (size) => void got.push(size),
      },
      { onContextChanged: changed.resolve },
    )
    bridge.updateContext({ theme: 'dark' })
    expect(await changed.promise).toEqual({ theme: 'dark' })
    expect(view.context).toEqual({ theme: 'dark', locale: 'de' })
    view.resize({ width: 100, height: 50 })
    view.log('warning', { slow: true }, 'ui')
    await expect
      .poll(() => got)
      .toEqual([
        { width: 100, height: 50 },
        { level: 'warning', logger: 'ui', data: { slow: true } },
      ])
  })

  test('the host has a record of everything', async () => {
    const trail: AppRequest[] = []
    const { view } = await openView({ callTool: true, onRequest: (request) => void trail.push(request) })
    await view.callTool('both')
    await view.callTool('hidden').catch(() => {})
    expect(trail.map(({ method, error }) => [method, error?.code])).toEqual([
      ['ui/initialize', undefined],
      ['tools/call', undefined],
      ['tools/call', -32602],
    ])
  })

  test('every message of both sides can be watched, and a watcher that throws harms nobody', async () => {
    const seen: string[] = []
    const errors: Error[] = []
    const { view, bridge } = await openView({
      callTool: true,
      onMessage: ({ from, payload }) => {
        const { id, method } = payload as unknown as JsonObject
        seen.push(`${from} ${String(method ?? 'answer')} ${typeof id}`)
        if (method === 'tools/call') throw new Error('watcher')
      },
      onError: (error) => void errors.push(error),
    })
    expect((await view.callTool('both')).text).toBe('ran both')
    bridge.updateContext({ theme: 'dark' })
    expect(seen).toEqual([
      'view ui/initialize number',
      'host answer number',
      'view ui/notifications/initialized undefined',
      'view tools/call number',
      'host answer number',
      'host ui/notifications/host-context-changed undefined',
    ])
    expect(errors.map(({ message }) => message)).toEqual(['watcher'])
  })

  test('what breaks in the host is not told to the view', async () => {
    const errors: Error[] = []
    const { view } = await openView({
      openLink: () => {
        throw new Error('secret')
      },
      onError: (error) => void errors.push(error),
    })
    await expect(view.openLink('https://a.example')).rejects.toMatchObject({ code: -32603, message: 'Internal error' })
    expect(errors.map(({ message }) => message)).toEqual(['secret'])
  })

  test('a view that asks for more than it is entitled to at once is refused', async () => {
    const { hello, ask } = await openRaw({ maxRequests: 2, callTool: () => new Promise<boolean>(() => {}) })
    await hello()
    void ask(1, 'tools/call', { name: 'both' })
    void ask(2, 'tools/call', { name: 'both' })
    expect(await ask(3, 'tools/call', { name: 'both' })).toMatchObject({
      error: { message: expect.stringContaining('2') },
    })
    expect(await ask(4, 'ping')).toMatchObject({ result: {} })
  })
})

describe('the end', () => {
  // [xapp.teardown.send] [xapp.teardown.wait]
  test('waits for the view, with a reason', async () => {
    let finished = ''
    const { bridge } = await openView(
      { teardownTimeoutMs: 5_000 },
      {
        onTeardown: async (reason) => {
          await new Promise((resolve) => setTimeout(resolve, 20))
          finished = reason
        },
      },
    )
    await bridge.close('the chat was closed')
    expect(finished).toBe('the chat was closed')
    expect(await bridge.closed).toMatchObject({ code: 'closed' })
  })

  test('does not wait for ever', async () => {
    const { bridge } = await openView({ teardownTimeoutMs: 30 }, { onTeardown: () => new Promise(() => {}) })
    await bridge.close()
  })

  test('comes at once for a page that never said hello', async () => {
    const { bridge, methodsHeard } = await openRaw({ teardownTimeoutMs: 60_000 })
    await bridge.close()
    expect(methodsHeard()).toEqual([])
  })

  test('cancels what the view had asked for', async () => {
    const { bridge, view } = await openView({ callTool: true })
    const started = deferred<void>()
    const call = view.callTool('slow', {}, { onProgress: () => started.resolve() }).catch((error: unknown) => error)
    await started.promise
    await bridge.close()
    expect(await call).toMatchObject({ code: 'closed' })
    await expect.poll(() => calls).toEqual(['slow was cancelled'])
  })
})
