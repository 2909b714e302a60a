import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { sandboxPage } from './sandbox-page.ts'

const host = 'https://chat.example'

interface Sent {
  message: JsonObject
  to: string
}

/** The script of the page, between a host and a view that record their messages. */
function openSandbox(hostOrigins: string[] = [host]) {
  const { html } = sandboxPage({ hostOrigins, maxMessageLength: 1_000 })
  const code = /<script>([\s\S]*)<\/script>/.exec(html)![1]!
  const [toHost, toView, frames] = [[] as Sent[], [] as Sent[], [] as JsonObject[]]
  const window = (sent: Sent[]) => ({ postMessage: (message: JsonObject, to: string) => sent.push({ message, to }) })
  const [parent, view] = [window(toHost), window(toView)]
  let listener: (event: object) => void = () => {}
  const createElement = () => {
    const attributes: JsonObject = { contentWindow: view }
    return Object.assign(attributes, { setAttribute: (name: string, value: string) => (attributes[name] = value) })
  }
  runInNewContext(code, {
    parent,
    addEventListener: (_type: string, listen: typeof listener) => {
      listener = listen
    },
    document: { createElement, body: { append: (frame: JsonObject) => frames.push(frame) } },
  })
  return {
    toHost,
    toView,
    frames,
    fromHost: (data: unknown, origin: string = host) => listener({ data, source: parent, origin }),
    fromView: (data: unknown) => listener({ data, source: view, origin: 'null' }),
    fromStranger: (data: unknown, origin: string) => listener({ data, source: window([]), origin }),
  }
}

const rpc = (method: string, params: JsonObject = {}): JsonObject => ({ jsonrpc: '2.0', method, params })
const resource = (params: JsonObject): JsonObject => rpc('ui/notifications/sandbox-resource-ready', params)

// [xapp.sandbox.ready] [xapp.sandbox.resource-ready] [xapp.sec.iframe]
test('it says that it is ready, and shows what the host sends, once', () => {
  const sandbox = openSandbox()
  expect(sandbox.toHost).toEqual([{ message: rpc('ui/notifications/sandbox-proxy-ready'), to: host }])
  sandbox.fromHost(resource({ html: '<p>one', permissions: { camera: {}, clipboardWrite: {}, usb: {} } }))
  sandbox.fromHost(resource({ html: '<p>two' }))
  expect(sandbox.frames).toMatchObject([
    { srcdoc: '<p>one', sandbox: 'allow-scripts allow-forms', allow: 'camera; clipboard-write' },
  ])
})

// [xapp.sandbox.forward] [xapp.sandbox.no-own-requests] [xapp.sandbox.proxy]
test('it passes everything on, both ways, except what is reserved for it', () => {
  const sandbox = openSandbox()
  sandbox.fromHost(resource({ html: '' }))
  sandbox.toHost.length = 0
  sandbox.fromHost(rpc('ui/notifications/tool-input'))
  sandbox.fromHost(rpc('ui/notifications/sandbox-anything'))
  sandbox.fromView(rpc('ui/initialize'))
  sandbox.fromView(rpc('ui/notifications/sandbox-proxy-ready'))
  sandbox.fromView(resource({ html: '<p>evil' }))
  sandbox.fromView({ jsonrpc: '2.0', id: 1, result: {} })
  expect(sandbox.toView).toEqual([{ message: rpc('ui/notifications/tool-input'), to: '*' }])
  expect(sandbox.toHost).toEqual([
    { message: rpc('ui/initialize'), to: host },
    { message: { jsonrpc: '2.0', id: 1, result: {} }, to: host },
  ])
  expect(sandbox.frames).toHaveLength(1)
})

test('it obeys nobody else', () => {
  const sandbox = openSandbox([host, 'https://other.example'])
  sandbox.fromHost(resource({ html: '<p>evil' }), 'https://evil.example')
  sandbox.fromStranger(resource({ html: '<p>evil' }), host)
  for (const junk of [null, 7, 'text', {}, { jsonrpc: '1.0', method: 'x' }]) sandbox.fromHost(junk)
  expect(sandbox.frames).toEqual([])
  sandbox.fromHost(resource({ html: '<p>good' }), 'https://other.example')
  // From here on it has one host, and a second one cannot take over.
  sandbox.fromHost(rpc('ui/notifications/tool-input'), host)
  sandbox.fromStranger(rpc('ui/initialize'), 'null')
  expect(sandbox.toView).toEqual([])
  sandbox.fromView(rpc('ui/initialize'))
  expect(sandbox.toHost.at(-1)).toEqual({ message: rpc('ui/initialize'), to: 'https://other.example' })
})

test('what is too long does not leave it, and a request is told so', () => {
  const sandbox = openSandbox()
  sandbox.fromHost(resource({ html: '' }))
  sandbox.toHost.length = 0
  const text = 'x'.repeat(1_000)
  sandbox.fromView({ ...rpc('ui/message', { text }), id: 7 })
  sandbox.fromView(rpc('notifications/message', { text }))
  sandbox.fromView({ ...rpc('ui/message', { big: 1n }), id: 8 })
  expect(sandbox.toHost).toEqual([])
  expect(sandbox.toView).toMatchObject([
    { message: { id: 7, error: { code: -32600 } } },
    { message: { id: 8, error: { code: -32600 } } },
  ])
})

test('only JSON leaves it: a map, a buffer or a date has no size that anybody could measure', () => {
  const sandbox = openSandbox()
  sandbox.fromHost(resource({ html: '' }))
  sandbox.toHost.length = 0
  const params = {
    map: new Map([['x', 'x'.repeat(2_000)]]),
    bytes: new ArrayBuffer(2_000),
    at: new Date(0),
    list: [() => {}],
  }
  sandbox.fromView({ ...rpc('ui/message'), id: 1, params })
  const at = '1970-01-01T00:00:00.000Z'
  expect(sandbox.toHost).toEqual([
    { message: { ...rpc('ui/message'), id: 1, params: { map: {}, bytes: {}, at, list: [null] } }, to: host },
  ])
})

test('a target that is no URL allows the view nothing, and is no exception', () => {
  const { headers } = sandboxPage({ hostOrigins: [host] })
  for (const url of ['//', 'http://[', '']) expect(sandboxPage({ hostOrigins: [host], url }).headers).toEqual(headers)
})
