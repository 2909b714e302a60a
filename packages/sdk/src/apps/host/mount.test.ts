import { expect, test } from 'vitest'
import { connect } from '../../client/connect.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { createServer } from '../../server/server.ts'
import { appResource } from '../define.ts'
import { appsCapability, appsVersion } from '../vocabulary.ts'
import { type MountAppOptions, mountApp } from './mount.ts'

const html = '<!doctype html><p>Hello'
const csp = { connectDomains: ['https://api.example', 'https://ads.example'] }
const view = appResource({ uri: 'ui://a/view', name: 'view', html, csp, permissions: { camera: {} } })
const server = createServer({ name: 'a', version: '1', resources: [view] })
const sandboxOrigin = 'https://sandbox.example'

interface FakeFrame {
  attributes: { [name: string]: string }
  style: { [name: string]: string }
  src: string
  removed: boolean
  contentWindow: { postMessage(message: JsonObject, to: string): void }
}

/**
 * As much of a page as a frame needs; `heard` are the messages to the sandbox. The browser itself is tried in
 * `runtimes`.
 */
function fakePage() {
  const heard: { message: JsonObject; to: string }[] = []
  const frames: FakeFrame[] = []
  const location = { href: 'https://chat.example/room', origin: 'https://chat.example' }
  const defaultView = Object.assign(new EventTarget(), { location })
  const createElement = () => {
    const frame = {
      attributes: {} as FakeFrame['attributes'],
      style: {},
      src: '',
      removed: false,
      contentWindow: { postMessage: (message: JsonObject, to: string) => void heard.push({ message, to }) },
      setAttribute: (name: string, value: string) => Object.assign(frame.attributes, { [name]: value }),
      remove: () => Object.assign(frame, { removed: true }),
    }
    return frame
  }
  const container = {
    isConnected: true,
    ownerDocument: { createElement, defaultView },
    append(frame: FakeFrame) {
      frames.push(frame)
      queueMicrotask(() => say({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }))
    },
  }
  const say = (data: JsonObject, origin: string = sandboxOrigin): void => {
    const source = frames[0]!.contentWindow
    defaultView.dispatchEvent(Object.assign(new Event('message'), { data, source, origin }))
  }
  return { container: container as unknown as HTMLElement, frames, heard, say }
}

async function mount(options: Partial<MountAppOptions> = {}) {
  const page = fakePage()
  const client = await connect(server, { capabilities: appsCapability })
  const { container } = page
  const mounted = await mountApp({ client, container, app: view.uri, sandbox: `${sandboxOrigin}/page`, ...options })
  const close = async () => {
    await mounted.close()
    await client.close()
  }
  return { ...page, mounted, [Symbol.asyncDispose]: close }
}

// [xapp.sandbox.origin] [xapp.sandbox.permissions] [xapp.sandbox.resource-ready] [xapp.csp.enforce]
test('the sandbox is of another origin, and gets the page and what it may reach', async () => {
  await using shown = await mount()
  const frame = shown.frames[0]!
  expect(frame.attributes).toMatchObject({ sandbox: 'allow-scripts allow-same-origin allow-forms', allow: '' })
  const { origin, searchParams } = new URL(frame.src)
  expect([origin, JSON.parse(searchParams.get('csp')!)]).toEqual([sandboxOrigin, csp])
  const params = { html, csp, permissions: {} }
  expect(shown.heard).toEqual([
    { message: { jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params }, to: sandboxOrigin },
  ])
})

// [xapp.csp.warn] [xapp.csp.log] [xapp.csp.restrict-more] [xapp.sec.review-templates]
test('the host sees a view first, and takes away what it does not like', async () => {
  const seen: unknown[] = []
  await using shown = await mount({
    approve: (app) => {
      seen.push([app.csp, app.sha256?.length])
      const connectDomains = ['https://api.example', 'https://undeclared.example']
      return { csp: { connectDomains }, permissions: { camera: {}, microphone: {} } }
    },
  })
  expect(seen).toEqual([[csp, 64]])
  const frame = shown.frames[0]!
  expect(frame.attributes.allow).toBe('camera')
  expect(JSON.parse(new URL(frame.src).searchParams.get('csp')!)).toEqual({ connectDomains: ['https://api.example'] })
  expect(shown.heard[0]!.message.params).toMatchObject({ permissions: { camera: {} } })
})

test.each([
  ['its own origin', { sandbox: '/sandbox' }, 'invalid_argument'],
  ['no web page', { sandbox: 'data:text/html,x' }, 'invalid_argument'],
  ['a refusal', { approve: () => false as const }, 'cancelled'],
  ['a sandbox that says nothing', { sandbox: 'https://elsewhere.example/', sandboxTimeoutMs: 20 }, 'timeout'],
  ['no such view', { app: 'ui://a/none' }, -32602],
])('with %s nothing stays on the page', async (_what, options, code) => {
  const page = fakePage()
  await using client = await connect(server)
  const { container } = page
  const mounting = mountApp({ client, container, app: view.uri, sandbox: `${sandboxOrigin}/`, ...options })
  await expect(mounting).rejects.toMatchObject({ code })
  expect(page.frames.filter(({ removed }) => !removed)).toEqual([])
  expect(page.heard).toEqual([])
})

test('a container that is not on the page is refused', async () => {
  const { container } = fakePage()
  Object.assign(container, { isConnected: false })
  await using client = await connect(server)
  const mounting = mountApp({ client, container, app: view.uri, sandbox: sandboxOrigin })
  await expect(mounting).rejects.toMatchObject({ code: 'invalid_argument' })
})

// [xapp.size.host-listens]
test('the view has the size that it wants, up to what it may have', async () => {
  await using shown = await mount({ context: { containerDimensions: { width: 400, maxHeight: 600 } } })
  const { style } = shown.frames[0]!
  expect(style).toMatchObject({ width: '400px' })
  const params = { appInfo: { name: 'v', version: '1' }, appCapabilities: {}, protocolVersion: appsVersion }
  shown.say({ jsonrpc: '2.0', id: 1, method: 'ui/initialize', params })
  shown.say({ jsonrpc: '2.0', method: 'ui/notifications/initialized' })
  const resize = (width: number, height: number): void =>
    shown.say({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { width, height } })
  resize(1e9, 99.5)
  expect(style).toMatchObject({ width: '400px', height: '100px' })
  resize(10, 1e9)
  expect(style).toMatchObject({ width: '400px', height: '600px' })
  resize(10, Number.NaN)
  expect(style).toMatchObject({ height: '600px' })
})

test('a view that floods its host is removed', async () => {
  await using shown = await mount({ maxMessagesPerSecond: 10 })
  for (let i = 0; i < 30; i++) shown.say({ jsonrpc: '2.0', method: 'x' })
  expect(await shown.mounted.bridge.closed).toMatchObject({ message: expect.stringContaining('10 messages') })
  await shown.mounted.close()
  expect(shown.frames[0]!.removed).toBe(true)
})
