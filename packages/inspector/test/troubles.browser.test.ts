import { createServer as createHttp, type RequestListener, type Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { serveHttp } from '@tenon/sdk/node'
import { createServer } from '@tenon/sdk/server'
import type { Locator, Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import type { ServerSpec, Snapshot } from '../src/protocol.ts'
import { barriers } from './axe.suite.ts'
import { inBrowser, textIn, Visit } from './browser.suite.ts'
import { selfSigned, troubled } from './troubled.suite.ts'

const resultOf = (page: Page): Locator => page.getByRole('region', { name: 'Result', exact: true })

async function call(visit: Visit, tool: string): Promise<Locator> {
  await visit.find(`Tool of troubled ${tool}`)
  await visit.page.getByRole('heading', { name: tool, exact: true }).waitFor()
  return visit.press('Call tool')
}

/** A web server for a test, with its address. */
async function listening(server: Server, scheme: string): Promise<AsyncDisposable & { url: string }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `${scheme}://localhost:${(server.address() as AddressInfo).port}/mcp`
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, [Symbol.asyncDispose]: close }
}

inBrowser('servers in trouble', () => {
  test('one that babbles, shouts, refuses, lies, hangs and dies is understood, and connected again', async () => {
    await using visit = await Visit.begin({ servers: [troubled] })
    const { page } = visit
    await page.getByRole('link', { name: 'babble' }).waitFor()
    await (await call(visit, 'babble')).getByText('answered all the same').first().waitFor()
    await visit.find('Timeline')
    await visit.filter('kind:refused')
    await page.getByRole('option').first().click()
    await page.getByRole('region', { name: 'Message' }).getByText('Server is running!').first().waitFor()

    await (await call(visit, 'refuse')).locator('[data-problem="protocol"]').getByText('Not today').waitFor()
    await resultOf(page).getByText('-32001').waitFor()
    await (await call(visit, 'lie')).locator('[data-problem="invalid"]').waitFor()
    expect(await barriers(page, 'invalid-answer')).toEqual([])

    await (await call(visit, 'shout')).getByText('answered all the same').first().waitFor()
    await visit.find('troubled Server')
    await page.getByRole('tab', { name: 'Output' }).click()
    await page.getByRole('log').getByText('line 19999').waitFor()
    // The oldest lines are forgotten: a process can write for days.
    expect(await page.getByRole('log').locator('.console-line').count()).toBeLessThanOrEqual(2_000)

    const hanging = await call(visit, 'hang')
    await hanging.getByText('Waiting for the answer').waitFor()
    await hanging.getByRole('button', { name: 'Cancel' }).click()
    await hanging.locator('[data-problem="cancelled"]').waitFor()

    await (await call(visit, 'die')).locator('[data-problem="transport"]').waitFor()
    await page.getByRole('link', { name: /troubled.*(ended|failed|closed)/ }).click()
    await page.getByRole('alert').getByText('exited with code 7').waitFor()
    await page.getByRole('tab', { name: 'Diagnosis' }).click()
    await page.locator('[data-step="spawn"].failed').getByText('It said last: these are my last words').waitFor()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('status').getByText('connected', { exact: true }).waitFor()
    await (await call(visit, 'babble')).getByText('answered all the same').first().waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('a page of another kind than the web is not offered to be opened, by the backend and by the page itself', async () => {
    await using visit = await Visit.begin({ servers: [{ ...troubled, revision: '2025-11-25' }] })
    const { page } = visit
    await page.getByRole('link', { name: 'lure' }).click()
    await page.getByRole('button', { name: 'JSON' }).click()
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,hello']) {
      await page.getByLabel('Arguments as JSON').fill(JSON.stringify({ url }))
      const result = await visit.press('Call tool')
      await result.getByText('expected an http(s) URL').first().waitFor()
      expect(await page.getByRole('complementary', { name: 'A server asks' }).count()).toBe(0)
    }
    // The page does not rely on that: one may arrive all the same.
    const asked = { server: 's', at: 0, message: 'Look', url: 'javascript:alert(1)' }
    const snapshot: Snapshot = {
      servers: [],
      catalogs: {},
      calls: [],
      tasks: [],
      sessions: [],
      authorizations: {},
      questions: [
        { id: 'url', kind: 'url', ...asked },
        { id: 'authorization', kind: 'authorization', ...asked },
      ] as Snapshot['questions'],
      kept: { keeps: false, unusable: [], secrets: { where: 'memory' } } as unknown as Snapshot['kept'],
      timeline: { first: 1, next: 1 } as Snapshot['timeline'],
      playground: { models: [], turns: [], keys: [] },
      page: {},
      revisions: ['2026-07-28'],
      about: { name: 'tenon', version: '1.0.0' },
    }
    const body = `id: 1\ndata: ${JSON.stringify({ type: 'snapshot', snapshot })}\n\n`
    await page.route('**/api/events*', (route) => route.fulfill({ contentType: 'text/event-stream', body }))
    await visit.goTo('questions')
    await page.reload()
    await page.getByText('Only http and https are opened').waitFor()
    await page.getByRole('button', { name: 'Not now' }).waitFor()
    expect(await page.getByRole('main').getByRole('link').count()).toBe(0)
    expect(visit.complaints).toEqual([])
  })

  test('a part of the page that fails leaves the others, and is tried again', async () => {
    await using visit = await Visit.begin({})
    const { page } = visit
    await page.route('**/api/config.find', (route) => route.fulfill({ json: { result: { found: [{}] } } }))
    await visit.goTo('add')
    await page.getByRole('tab', { name: 'Import' }).click()
    const notice = page.getByRole('alert').filter({ hasText: 'This part of the page has failed' })
    await notice.waitFor()
    expect(visit.complaints).not.toEqual([])
    expect(await barriers(page, 'failed-part')).toEqual([])
    await page.unroute('**/api/config.find')
    await notice.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('tab', { name: 'Paste' }).waitFor()
  })

  test('an editor that comes while a long text is being replaced has no more selected than there is', async () => {
    await using visit = await Visit.begin({})
    const { page } = visit
    const held: Route[] = []
    await page.route('**/assets/codemirror-*.js', (route) => void held.push(route))
    await page.reload()
    await page.getByRole('tab', { name: 'Paste' }).click()
    const field = page.getByLabel(/^Settings of another application/)
    await field.fill('node server.js')
    // The text that was replaced was longer.
    await field.evaluate((node) => Object.defineProperty(node, 'selectionEnd', { value: 1_000 }))
    await expect.poll(() => held.length).toBe(1)
    await held[0]!.continue()
    const editor = page.locator('.cm-content')
    await editor.waitFor()
    expect(await textIn(editor)).toBe('node server.js')
    expect(visit.complaints).toEqual([])
  })

  test('the diagnosis names the step that fails, and what to do there', requires('openssl'), async () => {
    const locked: RequestListener = (_request, response) =>
      void response.writeHead(401, { 'www-authenticate': 'Bearer realm="it"' }).end()
    await using protectedOne = await listening(createHttp(locked), 'http')
    await using secure = await listening(
      createHttps(selfSigned(), (_request, response) => response.end()),
      'https',
    )
    await using elsewhere = await listening(
      createHttp((_request, reply) => reply.writeHead(404).end()),
      'http',
    )
    const old = createServer({ name: 'old', version: '1.0.0', revisions: ['2025-06-18'] })
    await using http = await serveHttp(old, { port: 0 })
    const at = (name: string, url: string, more: object = {}): ServerSpec => ({ kind: 'url', name, url, ...more })
    const cases: [spec: ServerSpec, step: string, status: string, words: RegExp][] = [
      [{ kind: 'command', name: 'no program', command: 'no-such-program-here' }, 'command', 'failed', /was not found/],
      [at('no name', 'http://no-such-host.invalid/mcp'), 'dns', 'failed', /Check the spelling/],
      [at('no port', 'http://127.0.0.1:9/mcp'), 'tcp', 'failed', /Is the server running/],
      [at('no trust', secure.url), 'tls', 'failed', /certificate is not trusted.*self.signed/is],
      [at('no path', elsewhere.url), 'http', 'failed', /often listen at \/mcp/],
      [at('no metadata', protectedOne.url), 'well-known', 'warning', /There is no metadata/],
      [
        at('no entry', protectedOne.url, { headers: { Authorization: 'Bearer wrong' } }),
        'auth',
        'failed',
        /credentials are not accepted/,
      ],
      [at('no revision', http.url, { revision: '2026-07-28' }), 'version', 'failed', /2026-07-28|2025-06-18/],
    ]
    await using visit = await Visit.begin({ servers: cases.map(([spec]) => spec), connect: false })
    const { page } = visit
    for (const [{ name }, step, status, words] of cases) {
      await page.getByRole('region', { name: 'Servers' }).getByRole('link', { name }).click()
      await page.getByRole('tab', { name: 'Diagnosis' }).click()
      const line = page.locator(`[data-step="${step}"].${status}`)
      await line.getByText(words).first().waitFor()
      // The steps before work, so that the first that fails is the cause.
      const before = await page
        .locator('.step')
        .evaluateAll((steps) => steps.map((node) => [(node as HTMLElement).dataset.step, node.className]))
      const failed = before.filter(([, classes]) => classes?.includes('failed')).map(([found]) => found)
      if (status === 'failed') expect(failed[0], name).toBe(step)
    }
    expect(await barriers(page, 'diagnosis-version')).toEqual([])
    expect(visit.complaints).toEqual([])
  })
})
