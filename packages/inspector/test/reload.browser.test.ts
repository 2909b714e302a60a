import { serveHttp } from '@tenon/sdk/node'
import { createServer, type Server, tool } from '@tenon/sdk/server'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inBrowser, Visit } from './browser.suite.ts'

const input = {
  type: 'object',
  properties: { text: { type: 'string' }, count: { type: 'integer' } },
}
const question = { type: 'object', properties: { name: { type: 'string' } } } as const

const server = (): Server =>
  createServer({
    name: 'steady',
    version: '1.0.0',
    tools: [
      tool({ name: 'echo', input, run: ({ text }) => `said ${text}` }),
      tool({ name: 'inquire', run: async (_, ctx) => JSON.stringify(await ctx.elicit('Who?', question)) }),
    ],
  })

/** Waits until the backend has something that was typed. */
const hasKept = (page: Page, text: string): Promise<unknown> =>
  page.waitForResponse(
    (response) => response.url().endsWith('/api/page.keep') && response.request().postData()!.includes(text),
  )

inBrowser('a reload changes nothing', () => {
  test('forms, results, filter, selection and half an answer are there again', async () => {
    await using http = await serveHttp(server(), { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'steady', url: http.url }] })
    const { page } = visit
    const search = page.getByRole('searchbox', { name: 'Search tools' })
    await search.fill('ech')
    await page.getByRole('link', { name: 'echo' }).click()
    const form = page.getByRole('group', { name: 'Arguments' })
    await form.getByLabel('text', { exact: true }).fill('hello')
    const result = await visit.press('Call tool')
    await result.getByText('said hello').waitFor()
    // Half a number is no value, and is there again all the same.
    const kept = hasKept(page, '12e')
    await form.getByLabel('count', { exact: true }).fill('12e')
    await kept
    await page.reload()
    expect(await search.inputValue()).toBe('ech')
    expect(await form.getByLabel('text', { exact: true }).inputValue()).toBe('hello')
    expect(await form.getByLabel('count', { exact: true }).inputValue()).toBe('12e')
    await page.getByRole('region', { name: 'Result', exact: true }).getByText('said hello').waitFor()

    await page.getByRole('link', { name: 'Timeline' }).click()
    const filter = page.getByRole('combobox', { name: 'Filter messages' })
    await visit.filter('method:tools/call')
    const messages = page.getByRole('listbox', { name: /^Messages, 2 in all/ })
    await messages.getByRole('option').first().click()
    await page.getByRole('region', { name: 'Message' }).waitFor()
    await expect.poll(() => page.url()).toMatch(/#\/timeline\?q=method%3Atools%2Fcall&message=\d+$/)
    const address = page.url()
    await page.reload()
    expect(await filter.inputValue()).toBe('method:tools/call')
    await page.getByRole('region', { name: 'Message' }).waitFor()
    await messages.getByRole('option', { selected: true }).waitFor()
    // The address alone brings another tab to the same place.
    const other = await page.context().newPage()
    await other.goto(address)
    await other.getByRole('region', { name: 'Message' }).waitFor()
    await other.close()

    await visit.goTo('tools')
    await page.getByRole('link', { name: 'inquire' }).click()
    await visit.press('Call tool')
    const asked = page.getByRole('region', { name: 'steady asks you' })
    const keptAnswer = hasKept(page, 'Ada')
    await asked.getByLabel(/^name/).fill('Ada')
    await keptAnswer
    await page.reload()
    expect(await asked.getByLabel(/^name/).inputValue()).toBe('Ada')
    expect(visit.complaints).toEqual([])
  })

  test('a message far away from the end is in view after a reload', async () => {
    await using http = await serveHttp(server(), { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'steady', url: http.url }] })
    const { page } = visit
    await page.getByRole('link', { name: 'echo' }).waitFor()
    const [one] = await page.evaluate(async () => {
      const headers = { 'Content-Type': 'application/json', 'Tenon-Key': localStorage.getItem('tenon-key') ?? '' }
      const run = async (name: string, params: object): Promise<{ rows?: { id: number; server: string }[] }> =>
        (await (await fetch(`/api/${name}`, { method: 'POST', headers, body: JSON.stringify(params) })).json()).result
      const { rows = [] } = await run('timeline.query', { query: 'kind:request', offset: 0, count: 1 })
      const operation = { method: 'request', name: 'ping', params: {} }
      for (let at = 0; at < 150; at++) await run('call.start', { server: rows[0]!.server, operation })
      return rows
    })
    await visit.goTo('timeline', { message: String(one!.id) })
    await page.reload()
    await page.locator(`#row-${one!.id}`).waitFor()
    expect(await page.locator(`#row-${one!.id}`).getAttribute('aria-selected')).toBe('true')
  })

  test('addresses of servers are the same after a restart', async () => {
    await using http = await serveHttp(server(), { port: 0 })
    const spec = { kind: 'url', name: 'steady', url: http.url } as const
    const hrefs: (string | null)[][] = []
    for (const _ of [1, 2]) {
      await using visit = await Visit.begin({ servers: [spec, { ...spec, name: 'again' }] })
      const links = visit.page.getByRole('link', { name: 'echo' })
      await expect.poll(() => links.count()).toBe(2)
      // A count on the page of a server leads to the items of that server.
      await visit.page.getByRole('link', { name: /^again/ }).click()
      await visit.page.getByRole('link', { name: '2 tools' }).click()
      await expect.poll(() => links.count()).toBe(1)
      expect(await visit.page.getByLabel('Server', { exact: true }).locator('option:checked').textContent()).toBe(
        'again',
      )
      await visit.page.getByLabel('Server', { exact: true }).selectOption('All servers')
      await expect.poll(() => links.count()).toBe(2)
      hrefs.push(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')).toSorted()))
    }
    expect(hrefs[1]).toEqual(hrefs[0])
    expect(new Set(hrefs[0]).size).toBe(2)
  })
})
