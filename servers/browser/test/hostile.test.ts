/**
 * Ways of a page, or of a model, to what this browser must not reach. The site of each trick is on 127.0.0.1, which is
 * allowed here; its target is on 127.0.0.2, which stands for a private network. Each trick is seen reaching the target with
 * the original first.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, connect } from '@tenon/sdk/client'
import { type Resolve, systemResolve } from '@tenon/server-kit/network'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { redirect, type Site, startSite } from '../../fetch/test/site.ts'
import { browserServer, call, clientOf, failing, original, testFolder } from './helpers.ts'

const script = (code: string): string => `<script type="module">${code}</script>`

/** Pages, each with a way to its target. */
const tricks: { [name: string]: (target: string) => string } = {
  'a script that goes there': (to) => script(`location = '${to}'`),
  'a refresh': (to) => `<meta http-equiv="refresh" content="0;url=${to}">`,
  'a frame': (to) => `<iframe src="${to}"></iframe>`,
  'a frame of markup': (to) => `<iframe srcdoc="<img src='${to}'>"></iframe>`,
  'a frame of data': (to) => `<iframe src="data:text/html,<img src='${to}'>"></iframe>`,
  'a frame of a blob': (to) =>
    `<iframe id="f"></iframe>${script(`f.src = URL.createObjectURL(new Blob(['<img src="${to}">'], { type: 'text/html' }))`)}`,
  'an image': (to) => `<img src="${to}">`,
  'a script': (to) => `<script src="${to}"></script>`,
  'a style sheet': (to) => `<link rel="stylesheet" href="${to}">`,
  'a picture of a style': (to) => `<style>body { background: url(${to}) }</style>`,
  'a font': (to) => `<style>@font-face { font-family: x; src: url(${to}) } p { font-family: x }</style><p>x</p>`,
  'a video': (to) => `<video src="${to}" autoplay></video>`,
  'an object': (to) => `<object data="${to}"></object>`,
  'a prefetch': (to) => `<link rel="prefetch" href="${to}">`,
  'a preload': (to) => `<link rel="preload" as="script" href="${to}">`,
  'a fetch': (to) => script(`fetch('${to}', { mode: 'no-cors' }).catch(() => {})`),
  'a fetch that is kept alive': (to) => script(`fetch('${to}', { mode: 'no-cors', keepalive: true }).catch(() => {})`),
  'a beacon': (to) => script(`navigator.sendBeacon('${to}', 'x')`),
  'a request of the old kind': (to) => script(`const r = new XMLHttpRequest(); r.open('GET', '${to}'); r.send()`),
  'an event source': (to) => script(`new EventSource('${to}')`),
  'a WebSocket': (to) => script(`new WebSocket('${to.replace('http', 'ws')}')`),
  'a form': (to) => `<form id="f" method="post" action="${to}"></form>${script('f.submit()')}`,
  'a window': (to) => script(`open('${to}')`),
  'a worker': (to) => script(`new Worker(URL.createObjectURL(new Blob(["fetch('${to}', { mode: 'no-cors' })"])))`),
  'a script of a worker': (to) => script(`new Worker(URL.createObjectURL(new Blob(["importScripts('${to}')"])))`),
  'a shared worker': (to) =>
    script(`new SharedWorker(URL.createObjectURL(new Blob(["fetch('${to}', { mode: 'no-cors' })"])))`),
  'a download': (to) => `<a id="a" href="${to}" download></a>${script('a.click()')}`,
  'a redirect of an image': (to) => `<img src="/to?${encodeURIComponent(to)}">`,
  'a redirect of a fetch that posts': (to) =>
    script(`fetch('/to?${encodeURIComponent(to)}', { method: 'POST', body: 'x', mode: 'no-cors' }).catch(() => {})`),
}

let weak: Client
let made: ReturnType<typeof browserServer>
let asked = 0

/** The second answer for one name is another address. */
const resolve: Resolve = async (host) => {
  if (host === 'rebind.test') return [{ address: asked++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
  return host === 'inside.test' ? [{ address: '10.0.0.1', family: 4 }] : systemResolve(host)
}

beforeAll(async () => {
  made = browserServer({ resolve })
  weak = await connect(original(), { revisions: ['2024-11-05'] })
})
afterAll(() => weak?.close())

describe('a hostile page', requires('chromium'), () => {
  let target: Site
  let site: Site
  const place = (name: string): string => `/${encodeURIComponent(name)}`

  beforeAll(async () => {
    target = await startSite({}, '127.0.0.2')
    const pages = Object.entries(tricks).map(([name, page]) => [
      place(name),
      `<title>x</title>${page(`${target.origin}${place(name)}`)}`,
    ])
    site = await startSite({
      ...Object.fromEntries(pages),
      '/to': (request, response) =>
        void response.writeHead(307, { location: decodeURIComponent(request.url!.split('?')[1]!) }).end(),
      '/redirect': redirect(`${target.origin}/redirect`),
      '/service-worker': `<script>navigator.serviceWorker.register('/worker.js').catch(() => {}).then(() => fetch('/tried'))</script>`,
      '/worker.js': (_request, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/javascript' })
          .end(`fetch('${target.origin}/service-worker', { mode: 'no-cors' })`),
    })
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await target[Symbol.asyncDispose]()
  })

  /** True when the target got a request, or a connection of a WebSocket, for this trick. */
  const reached = (path: string): boolean => target.requests.some((request) => request.path === path)

  /** Opens a page in ours, and waits until the proxy wrote down the refusal. */
  async function refusedFor(client: Client, path: string): Promise<void> {
    await client.callTool('puppeteer_navigate', { url: `${site.origin}${path}` })
    await expect
      .poll(async () => (await call(client, 'browser_network', { filter: '(refused)' })).text)
      .toContain(`127.0.0.2:${target.port}`)
  }

  test.each(Object.keys(tricks))('%s', async (name) => {
    const path = place(name)
    await weak.callTool('puppeteer_navigate', { url: `${site.origin}${path}` }).catch(() => {})
    await expect.poll(() => reached(path)).toBe(true)
    target.requests.length = 0
    const client = await clientOf(made)
    await refusedFor(client, path)
    expect(target.requests).toEqual([])
  })

  test('a redirect of the page itself', async () => {
    await weak.callTool('puppeteer_navigate', { url: `${site.origin}/redirect` }).catch(() => {})
    expect(reached('/redirect')).toBe(true)
    target.requests.length = 0
    const client = await clientOf(made)
    expect(await failing(client, 'puppeteer_navigate', { url: `${site.origin}/redirect` })).toContain(
      '127.0.0.2, which is not a public address',
    )
    expect(target.requests).toEqual([])
  })

  test('a service worker', async () => {
    await weak.callTool('puppeteer_navigate', { url: `${site.origin}/service-worker` })
    await expect.poll(() => reached('/service-worker')).toBe(true)
    target.requests.length = 0
    site.requests.length = 0
    const client = await clientOf(made)
    await call(client, 'puppeteer_navigate', { url: `${site.origin}/service-worker` })
    await expect.poll(() => site.paths()).toContain('/tried')
    expect([site.paths().includes('/worker.js'), target.requests]).toEqual([false, []])
  })

  test('pictures of the print', async () => {
    const client = await clientOf(made)
    await using printed = await startSite({
      '/': `<style>@media print { body { background: url(${target.origin}/print) } }</style><p>x</p>`,
    })
    await call(client, 'puppeteer_navigate', { url: `${printed.origin}/` })
    await call(client, 'browser_pdf', { name: 'x' })
    await call(client, 'browser_pdf', { name: 'y' })
    expect(target.requests).toEqual([])
  })

  test('WebRTC and WebTransport, which use UDP', async () => {
    const socket = createSocket('udp4')
    let packets = 0
    socket.on('message', () => packets++)
    await once(socket.bind(0, '127.0.0.2'), 'listening')
    const { port } = socket.address()
    const code = `
      const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.2:${port}' },
        { urls: 'turn:127.0.0.2:${target.port}?transport=tcp', username: 'a', credential: 'b' }] })
      peer.createDataChannel('x')
      const gathered = new Promise((resolve) => peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && resolve())
      await peer.setLocalDescription(await peer.createOffer())
      await gathered
      await new WebTransport('https://127.0.0.2:${port}/').ready.catch(() => {})
      await fetch('/tried')`
    await using page = await startSite({ '/': script(code) })
    const client = await clientOf(made)
    await call(client, 'puppeteer_navigate', { url: `${page.origin}/` })
    await expect.poll(() => page.paths()).toContain('/tried')
    expect([packets, target.requests]).toEqual([0, []])
    await weak.callTool('puppeteer_navigate', { url: `${page.origin}/` })
    await expect.poll(() => packets).toBeGreaterThan(0)
    socket.close()
  })

  test('a name with another address in the second answer', async () => {
    await using page = await startSite({ '/': script(`await fetch('/again').catch(() => {})`) })
    await using trap = await startSite({}, '127.0.0.2', page.port)
    const client = await clientOf(made)
    await call(client, 'puppeteer_navigate', { url: `http://rebind.test:${page.port}/` })
    expect(page.paths()[0]).toBe('/')
    await expect
      .poll(async () => (await call(client, 'browser_network', { filter: '(refused)' })).text)
      .toContain('rebind.test is at 127.0.0.2, which is not a public address')
    expect(trap.requests).toEqual([])
  })
})

describe('a model', requires('chromium'), () => {
  test.each([
    ...[
      '127.0.0.2',
      'inside.test',
      '0x7f.2',
      '2130706434',
      '[::1]',
      '[::ffff:127.0.0.2]',
      '169.254.169.254',
      '10.0.0.1',
    ],
  ])('does not get to %s', async (host) => {
    await using site = await startSite({}, '127.0.0.2')
    const client = await clientOf(made)
    expect(await failing(client, 'puppeteer_navigate', { url: `http://${host}:${site.port}/` })).toMatch(
      /not a public address/,
    )
    expect(site.requests).toEqual([])
  })

  test.each([
    'file:///etc/hostname',
    'chrome://version',
    'view-source:http://127.0.0.1/',
    'data:text/html,x',
    'javascript:1',
    'devtools://devtools/bundled/inspector.html',
    'filesystem:http://127.0.0.1/x',
    'ftp://127.0.0.1/',
  ])('does not open %s', async (url) => {
    const client = await clientOf(made)
    expect(await failing(client, 'puppeteer_navigate', { url })).toContain('expected an http or https URL')
  })

  test('does not read files, as it does with the original', async () => {
    const file = join(testFolder(), 'secret.txt')
    writeFileSync(file, 'the secret of this machine')
    await weak.callTool('puppeteer_navigate', { url: `file://${file}` })
    const { text } = await weak.callTool('puppeteer_evaluate', { script: 'document.body.innerText' })
    expect(text).toContain('the secret of this machine')
    const client = await clientOf(made)
    expect(await failing(client, 'puppeteer_navigate', { url: `file://${file}` })).toContain(
      'expected an http or https',
    )
  })

  test('does not start programs with launchOptions, as it does with the original', async () => {
    const folder = testFolder()
    const program = join(folder, 'program.sh')
    const trace = join(folder, 'started')
    writeFileSync(program, `#!/bin/sh\ntouch ${trace}\n`)
    chmodSync(program, 0o700)
    const args = { url: 'about:blank', launchOptions: { executablePath: program }, allowDangerous: true }
    await weak.callTool('puppeteer_navigate', args).catch(() => {})
    expect(existsSync(trace)).toBe(true)
    const client = await clientOf(made)
    expect(await failing(client, 'puppeteer_navigate', args)).toContain('The operator of this server decides')
    expect(await failing(client, 'puppeteer_navigate', { url: 'about:blank', allowDangerous: true })).toContain(
      'operator',
    )
    // Asking for nothing is no fault.
    await call(client, 'puppeteer_navigate', { url: 'about:blank', launchOptions: {}, allowDangerous: false })
    await call(client, 'puppeteer_navigate', { url: 'about:blank', launchOptions: null })
  })

  test('has no scripts unless the server was started with them', async () => {
    const client = await clientOf(made)
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).not.toContain('puppeteer_evaluate')
    await expect(client.callTool('puppeteer_evaluate', { script: '1' })).rejects.toThrow('puppeteer_evaluate')
    expect(await failing(client, 'puppeteer_navigate', { url: 'javascript:alert(1)' })).toContain('expected an http')
  })
})
