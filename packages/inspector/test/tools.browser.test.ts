import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { createEverythingServer } from '@tenon/server-everything'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ServerSpec } from '../src/protocol.ts'
import { inBrowser, textIn, Visit } from './browser.suite.ts'
import { everything } from './workbench-in-test.suite.ts'

/** A server of a revision: as a process, or over HTTP. */
const ways = [
  ['2026-07-28', 'stdio'],
  ['2025-06-18', 'stdio'],
  ['2026-07-28', 'http'],
  ['2025-06-18', 'http'],
] as const

async function reach(
  revision: '2026-07-28' | '2025-06-18',
  way: 'stdio' | 'http',
): Promise<AsyncDisposable & { spec: ServerSpec }> {
  if (way === 'stdio') return { spec: { ...everything, revision }, [Symbol.asyncDispose]: async () => {} }
  const http = await serveHttp(createEverythingServer(), { port: 0 })
  return {
    spec: { kind: 'url', name: 'everything', url: http.url, revision },
    [Symbol.asyncDispose]: () => http.close(),
  }
}

inBrowser('tools in the browser', () => {
  describe.each(ways)('%s over %s', (revision, way) => {
    let server: Awaited<ReturnType<typeof reach>>
    let visit: Visit
    beforeAll(async () => {
      server = await reach(revision, way)
      visit = await Visit.begin({ servers: [server.spec] })
    })
    beforeEach(() => visit.goTo('tools'))
    afterAll(async () => {
      await visit?.[Symbol.asyncDispose]()
      await server?.[Symbol.asyncDispose]()
    })

    test('a person finds a tool, fills in its form, and sees a picture', async () => {
      const { page } = visit
      await page.getByRole('link', { name: 'Draw a bar chart' }).waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('bar chart')
      await page.getByRole('link', { name: 'Draw a bar chart' }).click()
      for (const value of ['3', '7', '-2.5']) {
        await page.getByRole('button', { name: 'Add to values' }).click()
        await page.getByRole('group', { name: 'values' }).getByRole('textbox').last().fill(value)
      }
      await page.getByRole('button', { name: 'Remove item 2' }).click()
      await page.getByRole('combobox', { name: 'color' }).selectOption('orange')
      await page.keyboard.press('Control+Enter')
      const result = page.getByRole('region', { name: 'Result' })
      await result.getByRole('img').waitFor()
      await result.getByText('2 orange bars, from left to right: 3, -2.5').waitFor()
      expect(visit.complaints).toEqual([])
      expect(visit.outside).toEqual([])
    })

    test('a person sees progress, and cancels', async () => {
      const { page } = visit
      await page.getByRole('link', { name: 'Count down' }).waitFor()
      await visit.find('count_down')
      await page.getByRole('textbox', { name: 'from' }).fill('100')
      await page.getByRole('textbox', { name: 'intervalMs' }).fill('50')
      await page.getByRole('button', { name: 'Call tool' }).click()
      await page.getByText(/^\d+ of 100 · \d+ left$/).waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('region', { name: 'Result' }).getByRole('status').getByText('cancelled').waitFor()
    })

    test('a server asks, the person answers a form with every kind of field, and the tool goes on', async () => {
      const { page } = visit
      await page.getByRole('link', { name: 'Plan a trip' }).click()
      await page.getByLabel('destination').fill('Kyoto')
      await page.getByRole('button', { name: 'Call tool' }).click()
      const dock = page.getByRole('complementary', { name: 'A server asks' })
      await dock.getByText('Tell me about your trip to Kyoto').waitFor()
      await dock.getByRole('button', { name: 'Send answer' }).click()
      await dock
        .getByText(/required/)
        .first()
        .waitFor()
      await dock.getByLabel('Your name').fill('Ada')
      await dock.getByLabel('Your email').fill('ada@example.com')
      await dock.getByLabel('First day').fill('2026-08-01')
      await dock.getByRole('textbox', { name: 'Nights' }).fill('2')
      await dock.getByRole('combobox', { name: 'How to get around' }).selectOption({ label: 'By bike' })
      // Older revisions cannot ask for several of some.
      if (revision === '2026-07-28') await dock.getByRole('checkbox', { name: 'music' }).check()
      await dock.getByRole('button', { name: 'Send answer' }).click()
      const structured = page.getByRole('region', { name: 'Structured content' })
      await structured.getByText('"2026-08-03"').waitFor()
      await structured.getByText('"bike"').waitFor()
      await structured.getByText('fits the output schema').waitFor()
      await dock.waitFor({ state: 'hidden' })
    })
  })

  test('a tool that failed, an error of the protocol and a broken connection look different', async () => {
    await using visit = await Visit.begin({ servers: [everything] })
    const { page } = visit
    await page.getByRole('link', { name: 'Divide' }).click()
    await page.getByLabel('dividend').fill('1')
    await page.getByLabel('divisor').fill('0')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByText('The tool ran, and failed').waitFor()
    await page.getByText('The divisor is 0: give another one').waitFor()
    await page.getByLabel('divisor').fill('')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.locator('[data-problem]').first().waitFor()
    await page.getByText(/values? do(es)? not fit/).waitFor()
  })

  test('calls of a tool are made again and compared, and its server goes into the file of another application', async () => {
    let count = 0
    const shop = createServer({
      name: 'shop',
      version: '1.0.0',
      tools: [
        tool({
          name: 'buy',
          input: { type: 'object', properties: { what: { type: 'string' } } },
          run: ({ what }) => ({ content: [], structuredContent: { what: String(what), number: ++count } }),
        }),
      ],
    })
    await using http = await serveHttp(shop, { port: 0 })
    const headers = { 'X-Key': 'secret' }
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'shop', url: http.url, headers }] })
    const { page } = visit
    await page.getByRole('link', { name: 'buy' }).click()
    for (const what of ['tea', 'milk']) {
      await page.getByRole('textbox', { name: 'what' }).fill(what)
      await (await visit.press('Call tool')).getByText(`"${what}"`).first().waitFor()
    }
    await page.getByText('Earlier calls').click()
    const history = page.locator('.call-history li')
    expect(await history.count()).toBe(2)
    await history.last().getByRole('button', { name: 'Call again' }).click()
    await expect.poll(() => history.count()).toBe(3)
    await history.first().getByText('done').waitFor()
    await history.first().getByRole('button', { name: 'Difference' }).click()
    const table = page.getByRole('region', { name: 'Difference to the call before' })
    await table.getByText('structuredContent.number').waitFor()
    expect(await table.textContent()).toContain('"milk""tea"')
    expect(await page.getByRole('textbox', { name: 'what' }).inputValue()).toBe('milk')
    await history.first().getByRole('button', { name: 'Into the form' }).click()
    expect(await page.getByRole('textbox', { name: 'what' }).inputValue()).toBe('tea')

    await visit.find('shop Server')
    await page.getByText('Use it in another application').click()
    await page.getByLabel('The entry for').selectOption('Cursor')
    await page.getByText('"mcpServers"').waitFor()
    await page.getByLabel('The entry for').selectOption('VS Code')
    const entry = page.locator('pre', { hasText: '"servers"' })
    await entry.waitFor()
    expect(await entry.textContent()).toContain(http.url)
    expect(await entry.textContent()).not.toContain('secret')
    // A click opens that application, which gets the same entry.
    const link = await page.getByRole('link', { name: 'Install in VS Code' }).getAttribute('href')
    expect(JSON.parse(decodeURIComponent(link!.slice('vscode:mcp/install?'.length)))).toMatchObject({
      name: 'shop',
      url: http.url,
      headers: { 'X-Key': `\${env:SHOP_X_KEY}` },
    })
    await page.getByRole('button', { name: 'Copy badge for a README' }).waitFor()
    // One that has no such links has its entry only.
    await page.getByLabel('The entry for').selectOption('Claude Desktop')
    await expect.poll(() => page.getByRole('link', { name: 'Install in' }).count()).toBe(0)
    expect(visit.complaints).toEqual([])
  })

  test('arguments can be written as JSON, and come back as a form', async () => {
    await using visit = await Visit.begin({ servers: [everything] })
    const { page } = visit
    await page.getByRole('link', { name: 'Add', exact: false }).filter({ hasText: 'Adds two numbers' }).click()
    await page.getByRole('button', { name: 'JSON' }).click()
    const json = page.getByLabel('Arguments as JSON')
    await json.fill('{ "a": 19,')
    await page.getByText('No JSON yet').waitFor()
    await json.fill('{ "a": 19, "b": 23 }')
    await page.getByRole('button', { name: 'JSON' }).click()
    expect(await page.getByLabel('b', { exact: false }).last().inputValue()).toBe('23')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByRole('region', { name: 'Structured content' }).getByText('42').waitFor()
  })

  test('nested objects, unions, nullable and open members: what is cleared is not sent', async () => {
    const inputSchema = {
      type: 'object',
      properties: {
        shape: {
          anyOf: [
            {
              type: 'object',
              title: 'Circle',
              properties: { kind: { const: 'circle' }, r: { type: 'number' } },
              required: ['kind', 'r'],
            },
            {
              type: 'object',
              title: 'Square',
              properties: { kind: { const: 'square' }, side: { $ref: '#/$defs/size' } },
              required: ['kind', 'side'],
            },
          ],
        },
        note: { type: ['string', 'null'] },
        tags: { type: 'object', additionalProperties: { type: 'string' } },
        maybe: { type: 'boolean' },
        later: { type: 'string', default: 'soon' },
      },
      required: ['shape'],
      $defs: { size: { type: 'integer' } },
    }
    const echo = tool({ name: 'echo_json', input: inputSchema, run: (input) => JSON.stringify(input) })
    await using http = await serveHttp(createServer({ name: 'forms', version: '1.0.0', tools: [echo] }), { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'forms', url: http.url }] })
    const { page } = visit
    await page.getByRole('link', { name: 'echo_json' }).click()
    await page.getByLabel('Kind of shape').selectOption({ label: 'Square' })
    await page.getByLabel('side').fill('4')
    await page
      .getByRole('group', { name: 'note' })
      .or(page.locator('.field', { hasText: 'note' }))
      .getByRole('button', { name: 'null' })
      .first()
      .click()
    await page.getByRole('button', { name: 'Set tags' }).click()
    await page.getByLabel('Name of another member').fill('__proto__')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('textbox', { name: '__proto__' }).fill('x')
    await page.getByRole('combobox', { name: 'maybe' }).selectOption({ label: 'true' })
    await page.getByRole('button', { name: 'Clear later' }).click()
    await page.getByRole('button', { name: 'Call tool' }).click()
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByRole('button', { name: 'Plain' }).click()
    const sent = await textIn(result.getByLabel('JSON', { exact: true }))
    expect(sent).toBe('{"shape":{"kind":"square","side":4},"note":null,"tags":{"__proto__":"x"},"maybe":true}')
  })

  test('structured content that breaks its promise is marked', async () => {
    const age = tool({
      name: 'age',
      output: { type: 'object', properties: { age: { type: 'number' } }, required: ['age'] },
      run: () => ({ age: 1 }),
    })
    const lies = createServer({
      name: 'lies',
      version: '1.0.0',
      tools: [age],
      middleware: [{ 'tools/call': async (_call, next) => ({ ...(await next()), structuredContent: { age: 'old' } }) }],
    })
    await using http = await serveHttp(lies, { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'lies', url: http.url }] })
    await visit.page.getByRole('link', { name: 'age' }).click()
    await visit.page.getByRole('button', { name: 'Call tool' }).click()
    await visit.page.getByText('This does not fit the output schema').waitFor()
    await visit.page.getByText('/age', { exact: true }).waitFor()
  })

  test('the link to a resource in a result opens it, and a watched resource says that it has changed', async () => {
    await using visit = await Visit.begin({ servers: [everything] })
    const { page } = visit
    await page.getByRole('link', { name: 'Write a note' }).click()
    await page.getByLabel('title').fill('groceries')
    await page.getByLabel('text').last().fill('Miso')
    await page.getByRole('button', { name: 'Call tool' }).click()
    const result = page.getByRole('region', { name: 'Result' })
    await result.locator('.body').getByRole('link').first().click()
    await page.getByRole('region', { name: 'Result' }).getByText('Miso').waitFor()
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    await page.getByRole('button', { name: 'Watching' }).waitFor()
  })

  test.each(['2026-07-28', '2025-11-25'] as const)(
    'a task of %s shows where it is, asks, and ends',
    async (revision) => {
      await using visit = await Visit.begin({ servers: [{ ...everything, revision }] })
      const { page } = visit
      await page.getByRole('link', { name: 'Cook dinner' }).click()
      await page.getByRole('textbox', { name: 'minutesMs' }).fill('300')
      await page.getByRole('checkbox', { name: 'as a task' }).check()
      await page.getByRole('button', { name: 'Call tool' }).click()
      const result = page.getByRole('region', { name: 'Result' })
      await result
        .getByRole('status')
        .getByText(/^task /)
        .waitFor()
      const dock = page.getByRole('complementary', { name: 'A server asks' })
      await dock.getByRole('combobox', { name: 'spicy' }).selectOption('hot')
      await dock.getByRole('button', { name: 'Send answer' }).click()
      await result.getByText('Served: starter, hot main course, dessert').first().waitFor()
    },
  )

  test('two servers are searched at once', async () => {
    await using server = await reach('2025-06-18', 'http')
    await using visit = await Visit.begin({ servers: [everything, { ...server.spec, name: 'older' }] })
    const { page } = visit
    await expect.poll(() => page.getByRole('link', { name: 'Draw a bar chart' }).count()).toBe(2)
    await page.getByLabel('Search tools').fill('bar chart older')
    await expect.poll(() => page.getByRole('link', { name: 'Draw a bar chart' }).count()).toBe(1)
    await page.getByLabel('Search tools').fill('no such tool')
    await page.getByText('Nothing fits').waitFor()
  })
})
