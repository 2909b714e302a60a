import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveHttp } from '@tenon/sdk/node'
import { createServer as createMcpServer } from '@tenon/sdk/server'
import { describe, expect, test } from 'vitest'
import type { DiagnosisStep, ServerSpec } from '../src/protocol.ts'
import { TestBench } from './workbench-in-test.suite.ts'

async function diagnose(spec: ServerSpec): Promise<Map<string, DiagnosisStep>> {
  await using bench = await TestBench.open({ servers: [spec], connect: false })
  const server = await bench.until((event) => (event.type === 'snapshot' ? event.snapshot.servers[0] : undefined))
  const { steps } = await bench.run('server.diagnose', { server: server.id })
  return new Map(steps.map((step) => [step.name, step]))
}

const at = (url: string, more: object = {}): ServerSpec => ({ kind: 'url', name: 'it', url, ...more })

async function serving(listener: RequestListener): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const statuses = (steps: Map<string, DiagnosisStep>): { [name: string]: string } =>
  Object.fromEntries([...steps].map(([name, { status }]) => [name, status]))

describe('a diagnosis names the step that fails', () => {
  test('nothing is wrong', async () => {
    await using http = await serveHttp(createMcpServer({ name: 'fine', version: '1.0.0' }), { port: 0 })
    const steps = await diagnose(at(http.url))
    expect(statuses(steps)).toEqual({ url: 'ok', tcp: 'ok', http: 'ok', version: 'ok' })
    expect(steps.get('version')?.detail).toBe('fine speaks 2026-07-28')
  })

  test('the name has no address', async () => {
    const steps = await diagnose(at('http://no-such-host.invalid/mcp'))
    expect(statuses(steps)).toMatchObject({ dns: 'failed', tcp: 'skipped', version: 'skipped' })
  })

  test('nothing listens', async () => {
    const steps = await diagnose(at('http://127.0.0.1:9/mcp'))
    expect(statuses(steps)).toMatchObject({ url: 'ok', tcp: 'failed', http: 'skipped' })
    expect(steps.get('tcp')?.hint).toContain('Is the server running')
  })

  test('there is no encryption where some is expected', async () => {
    await using plain = await serving((_request, response) => response.end())
    const steps = await diagnose(at(plain.url.replace('http:', 'https:')))
    expect(statuses(steps)).toMatchObject({ tcp: 'ok', tls: 'failed', http: 'skipped' })
  })

  test('the path is another one', async () => {
    await using site = await serving((_request, response) => response.writeHead(404).end('Not found'))
    const steps = await diagnose(at(site.url))
    expect(statuses(steps)).toMatchObject({ http: 'failed', version: 'skipped' })
    expect(steps.get('http')?.hint).toContain('/mcp')
  })

  test('it is a web page', async () => {
    const page: RequestListener = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')
    await using site = await serving(page)
    expect(statuses(await diagnose(at(site.url)))).toMatchObject({ http: 'warning', version: 'failed' })
  })

  test('credentials are wanted, and where they come from is written down', async () => {
    const locked: RequestListener = (request, response) => {
      if (request.url?.startsWith('/.well-known/oauth-protected-resource')) return void response.end('{}')
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    }
    await using site = await serving(locked)
    const steps = await diagnose(at(site.url))
    expect(statuses(steps)).toMatchObject({ http: 'ok', 'well-known': 'ok', auth: 'warning', version: 'warning' })
    const refused = await diagnose(at(site.url, { headers: { Authorization: 'Bearer wrong' } }))
    expect(statuses(refused)).toMatchObject({ auth: 'failed', version: 'skipped' })
  })

  test('the revision that is wanted is not spoken', async () => {
    const old = createMcpServer({ name: 'old', version: '1.0.0', revisions: ['2025-06-18'] })
    await using http = await serveHttp(old, { port: 0 })
    const steps = await diagnose(at(http.url, { revision: '2026-07-28' }))
    expect(statuses(steps)).toMatchObject({ version: 'failed' })
  })

  test('the program is not there, and what was typed into one word is seen', async () => {
    const program = (command: string): ServerSpec => ({ kind: 'command', name: 'it', command })
    expect((await diagnose(program('no-such-program-here'))).get('command')).toMatchObject({ status: 'failed' })
    const joined = await diagnose(program('node server.js'))
    expect(joined.get('command')?.hint).toBe('Put the program alone first, and the rest into arguments.')
  })
})
