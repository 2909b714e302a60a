import { createServer as createHttpServer, request } from 'node:http'
import { serveHttp } from '@tenon/sdk/node'
import { expect, test } from 'vitest'
import { hostileApp } from './apps.suite.ts'
import { TestBench } from './workbench-in-test.suite.ts'

async function openEvil(ran: string[]): Promise<{ bench: TestBench; server: string } & AsyncDisposable> {
  const http = await serveHttp(
    hostileApp(() => 'http://127.0.0.1:1', ran),
    { port: 0 },
  )
  const bench = await TestBench.open({ servers: [{ kind: 'url', name: 'evil', url: http.url }] })
  const server = await bench.until((event) => {
    if (event.type === 'snapshot') {
      const [id, catalogs] = Object.entries(event.snapshot.catalogs)[0] ?? []
      return catalogs?.tools?.items.length ? id : undefined
    }
    return event.type === 'catalog' && event.catalog.kind === 'tools' && event.catalog.items.length > 0
      ? event.server
      : undefined
  })
  const dispose = async (): Promise<void> => {
    await bench[Symbol.asyncDispose]()
    await http.close()
  }
  return { bench, server, [Symbol.asyncDispose]: dispose }
}

test('the backend itself refuses a view what is not for views', async () => {
  const ran: string[] = []
  await using evil = await openEvil(ran)
  const { bench, server } = evil
  const call = (operation: object) => bench.run('app.call', { server, operation } as never)
  for (const name of ['for_models', 'missing', '__proto__']) {
    await expect(call({ method: 'tools/call', name, arguments: {} })).rejects.toThrow(
      `There is no tool "${name}" for views`,
    )
  }
  await expect(call({ method: 'request', name: 'tools/call', params: {} })).rejects.toThrow('Views cannot use request')
  await expect(call({ method: 'prompts/get', name: 'x', arguments: {} })).rejects.toThrow('Views cannot use')
  expect(ran).toEqual([])
  const { call: id } = await call({ method: 'tools/call', name: 'for_views', arguments: {} })
  await bench.until((event) => {
    const calls = event.type === 'snapshot' ? event.snapshot.calls : event.type === 'call' ? [event.call] : []
    return calls.find((known) => known.id === id && known.outcome?.kind === 'result')
  })
  expect(ran).toEqual(['for_views'])
})

test('the sandbox is one page on a port of its own, for this workbench only', async () => {
  await using bench = await TestBench.open()
  const { url } = await bench.run('app.sandbox', {})
  const { origin, port } = new URL(url)
  expect(origin).not.toBe(bench.origin)
  const reply = await fetch(url)
  expect(reply.status).toBe(200)
  const policy = reply.headers.get('content-security-policy')!
  expect(policy).toContain(`frame-ancestors http://127.0.0.1:${new URL(bench.origin).port} http://localhost:`)
  expect(policy).toContain("connect-src 'none'")
  const page = await fetch(bench.origin, { headers: { cookie: bench.cookie } })
  expect(page.headers.get('content-security-policy')).toContain(`frame-src ${origin};`)
  expect((await fetch(`${origin}/api/app.sandbox`, { headers: { cookie: bench.cookie } })).status).toBe(404)
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(405)
  const rebound = await new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', headers: { host: `evil.example:${port}` } }
    request(options, ({ statusCode }) => resolve(statusCode))
      .on('error', reject)
      .end()
  })
  expect(rebound).toBe(403)
})

test('the sandbox is on another site than the page, whichever name the page has, and nobody else answers for it', async () => {
  await using bench = await TestBench.open()
  const names = [
    ['127.0.0.1', 'localhost'],
    ['localhost', '127.0.0.1'],
  ] as const
  for (const [pageHost, hostname] of names) {
    const { url } = await bench.run('app.sandbox', { pageHost })
    expect(new URL(url).hostname).toBe(hostname)
    expect((await fetch(url)).status).toBe(200)
    const { port } = new URL(bench.origin)
    const policy = await new Promise<unknown>((resolve, reject) => {
      const options = { port, host: '127.0.0.1', headers: { host: `${pageHost}:${port}` } }
      request(options, ({ headers }) => resolve(headers['content-security-policy']))
        .on('error', reject)
        .end()
    })
    expect(policy).toContain(`frame-src ${new URL(url).origin};`)
  }
  // Browsers that look for localhost may ask ::1 first: the port is taken there too, or there is no such address.
  const { url } = await bench.run('app.sandbox', {})
  const other = createHttpServer()
  const code = await new Promise((resolve, reject) => {
    other.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    other.listen(Number(new URL(url).port), '::1', () => other.close(() => reject(new Error('The port is free'))))
  })
  expect(code).toMatch(/^EADDRINUSE$|^EADDRNOTAVAIL$|^EAFNOSUPPORT$/)
})

test('violations are taken from the browser of a known view alone, and no longer than a report is', async () => {
  await using bench = await TestBench.open()
  const { url, view } = await bench.run('app.sandbox', {})
  const { origin } = new URL(url)
  const policy = (await fetch(url)).headers.get('content-security-policy')
  expect(policy).toContain(`; report-uri ${origin}/violations?view=${view}`)
  expect((await fetch(origin)).headers.get('content-security-policy')).not.toContain('report-uri')
  const send = async (body: string, of: string = view, type = 'application/csp-report'): Promise<number | string> => {
    const headers = { 'content-type': type }
    try {
      return (await fetch(`${origin}/violations?view=${of}`, { method: 'POST', headers, body })).status
    } catch {
      return 'no answer'
    }
  }
  const report = (more: object): string => JSON.stringify({ 'csp-report': more })
  const usual = { 'effective-directive': 'img-src', 'blocked-uri': 'https://a.example/', 'line-number': 3 }
  expect(await send(report(usual), 'another')).toBe(405)
  expect(await send(report(usual), view, 'application/json')).toBe(405)
  expect(await send(report({ ...usual, 'script-sample': 'x'.repeat(70_000) }))).toBe(413)
  expect(await send('{"csp-report":')).toBe('no answer')
  expect(await send('[]')).toBe(204)
  expect(await send(report({ 'blocked-uri': 7 }))).toBe(204)
  expect(await send(report(usual))).toBe(204)
})

test('the sandbox ends with the workbench', async () => {
  const bench = await TestBench.open()
  const { url } = await bench.run('app.sandbox', {})
  await bench.inspector.close()
  await expect(fetch(url)).rejects.toThrow()
})
