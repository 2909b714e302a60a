/** Answers that are too large, too slow or made to hurt: bounded in bytes, time and memory, and never the end of the server. */
import { createServer } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { PageReader } from '../src/page/page-reader.ts'
import { simpleMarkdown } from '../src/page/simple-markdown.ts'
import { open } from './open.ts'
import { type Site, startSite } from './site.ts'

const send =
  (body: string | Buffer, headers: { [name: string]: string } = {}): Parameters<typeof startSite>[0][string] =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/plain', ...headers }).end(body)

describe('bytes', () => {
  test('an endless answer is left at the limit, and said to be incomplete', async () => {
    let closed = false
    await using site = await startSite({
      '/': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' })
        const more = (): void => {
          while (response.write('x'.repeat(10_000)));
        }
        response.on('drain', more).on('close', () => {
          closed = true
        })
        more()
      },
    })
    await using client = await open({ maxBytes: 100_000 })
    const { structured } = await client.callTool('fetch', { url: `${site.origin}/` })
    expect(structured).toMatchObject({ total_length: 100_000, incomplete: true })
    await expect.poll(() => closed).toBe(true)
  })

  const bomb = Buffer.alloc(50_000_000, 'a')
  test.each([
    ['gzip', gzipSync(bomb)],
    ['br', brotliCompressSync(bomb.subarray(0, 20_000_000))],
    ['deflate', deflateSync(bomb)],
  ])('a bomb in %s is left at the limit', async (coding, body) => {
    expect(body.length).toBeLessThan(100_000)
    await using site = await startSite({ '/': send(body, { 'content-encoding': coding }) })
    await using client = await open({ maxBytes: 1_000_000 })
    const { structured } = await client.callTool('fetch', { url: `${site.origin}/` })
    expect(structured).toMatchObject({ total_length: 1_000_000, incomplete: true })
  })

  test.each([
    ['gzip', gzipSync('plain text')],
    ['x-gzip', gzipSync('plain text')],
    ['br', brotliCompressSync('plain text')],
    ['deflate', deflateSync('plain text')],
    ['deflate', deflateRawSync('plain text')],
    ['identity', Buffer.from('plain text')],
  ])('%s is unpacked', async (coding, body) => {
    await using site = await startSite({ '/': send(body, { 'content-encoding': coding }) })
    await using client = await open()
    expect((await client.callTool('fetch', { url: `${site.origin}/` })).structured).toMatchObject({
      content: 'plain text',
    })
  })

  test.each([
    ['gzip', 'no gzip at all', 'damaged'],
    ['gzip', gzipSync('plain text').subarray(0, 15), 'ends too early'],
    ['gzip, gzip', gzipSync(gzipSync('x')), 'expected one content encoding'],
    ['snappy', 'x', 'the content encoding snappy'],
  ])('%s that cannot be unpacked is an error', async (coding, body, reason) => {
    await using site = await startSite({ '/': send(body, { 'content-encoding': coding }) })
    await using client = await open()
    const result = await client.callTool('fetch', { url: `${site.origin}/` })
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining(reason) })
  })
})

describe('time', () => {
  test.each([
    ['silent', () => {}],
    ['stuck', (response: { write(text: string): void }) => response.write('beginning')],
  ])('a %s site is given up', async (_what, act) => {
    await using site = await startSite({ '/': (_request, response) => act(response as never) as never })
    await using client = await open({ timeout: 300, ignoreRobotsTxt: true })
    expect((await client.callTool('fetch', { url: `${site.origin}/` })).text).toContain(
      'no complete answer within 300 ms',
    )
  })

  test('a name server that does not answer is given up', async () => {
    await using client = await open({ timeout: 300, resolve: () => new Promise(() => {}) })
    expect((await client.callTool('fetch', { url: 'http://slow.test/' })).text).toContain('no complete answer within')
  })

  test('a call that the client cancels closes the connection', async () => {
    let site!: Site
    const closed = new Promise<void>((resolve) => {
      void startSite({ '/': (_request, response) => void response.on('close', resolve) }).then((started) => {
        site = started
      })
    })
    await expect.poll(() => site).toBeDefined()
    await using client = await open({ ignoreRobotsTxt: true })
    const cancel = new AbortController()
    const call = client.callTool('fetch', { url: `${site.origin}/` }, { signal: cancel.signal })
    await expect.poll(() => site.requests.length).toBe(1)
    cancel.abort()
    await expect(call).rejects.toThrow()
    await closed
    await site[Symbol.asyncDispose]()
  })

  test('an answer that is no HTTP, and one with endless headers, are errors', async () => {
    for (const answer of ['SSH-2.0-OpenSSH\r\n', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(10_000)}`]) {
      const server = createServer(
        (socket) =>
          void socket
            .on('error', () => {})
            .resume()
            .end(answer),
      )
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as { port: number }
      await using client = await open({ ignoreRobotsTxt: true })
      expect(await client.callTool('fetch', { url: `http://127.0.0.1:${port}/` })).toMatchObject({ isError: true })
      await new Promise((resolve) => server.close(resolve))
    }
  })
})

const many = (part: string, bytes: number): string => part.repeat(Math.ceil(bytes / part.length))

describe('hostile HTML', () => {
  const pages: [string, string][] = [
    ['10 MB of <', many('<', 10_000_000)],
    ['deep divs', `${many('<div>', 2_000_000)}the text`],
    ['deep formatting', `${many('<b><i>', 200_000)}the text`],
    ['deep lists', `${many('<ul><li>', 300_000)}the text`],
    ['nested tables', `${many('<table><tr><td>', 300_000)}the text`],
    ['misnested formatting', `${many('<a><b><p></a>', 100_000)}the text`],
    ['unclosed tags', `${many('<p class="x', 1_000_000)}`],
    ['an unclosed comment', `the text<!--${many('<!--', 3_000_000)}`],
    ['an unclosed script', `the text<script>${many('<script>', 3_000_000)}`],
    ['one tag of a million attributes', `<p ${many('a ', 2_000_000)}>the text</p>`],
    ['one attribute of 5 MB', `<p title="${many('x', 5_000_000)}">the text</p>`],
    ['entities', many('&amp;&#x41;&nosuch;', 3_000_000)],
    ['a wide table', `<table>${many('<tr><td colspan=99999>x</td></tr>', 1_000_000)}</table>`],
    ['headings', many('<h1>the text</h1>', 2_000_000)],
    ['NUL characters', `the text${many('\0<p>\0', 1_000_000)}`],
  ]

  test('each page is answered, and the server goes on', async () => {
    await using site = await startSite({
      ...Object.fromEntries(pages.map(([, html], index) => [`/${index}`, html])),
      '/last': '<title>Last</title><p>still here</p>',
    })
    await using client = await open({ readTimeout: 400 })
    for (const [index, [name]] of pages.entries()) {
      const result = await client.callTool('fetch', { url: `${site.origin}/${index}` })
      expect([name, result.isError === true]).toEqual([name, false])
    }
    expect((await client.callTool('fetch', { url: `${site.origin}/last` })).text).toContain('still here')
  }, 120_000)

  test('a page that takes too long is read in a simpler way, and the next one as ever', async () => {
    const reader = new PageReader({ timeMs: () => 1 })
    const signal = new AbortController().signal
    const slow = `<title>Slow</title><h2>Head</h2>${many('<p>the text', 500_000)}`
    expect(await reader.read(slow, 'http://a.test/', signal)).toMatchObject({
      simplified: true,
      metadata: { title: 'Slow' },
      markdown: expect.stringContaining('## Head'),
    })
    const patient = new PageReader({ timeMs: () => 60_000 })
    expect(await patient.read('<p>x</p>', 'http://a.test/', signal)).toMatchObject({ markdown: 'x', simplified: false })
  })

  test('simple Markdown: headings, lists, entities, no scripts', () => {
    const html =
      '<title>T</title><script>if (a < b) x()</script><h1>One &amp; two</h1><p>a < b<br>c<!-- no --><ul><li>x<li>y&#33;</ul><style>p{}</style>'
    expect(simpleMarkdown(html)).toBe('T\n\n# One & two\n\na < b\nc\n\n- x\n- y!')
  })
})
