import { serveHttp } from '@tenon/sdk/node'
import { createServer, type Server, tool } from '@tenon/sdk/server'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inBrowser, Visit } from './browser.suite.ts'
import { watchEffort } from './effort.suite.ts'
import { flood } from './flood.suite.ts'
import { mostWork, type PageWork } from './page-work.suite.ts'
import { TestBench } from './workbench-in-test.suite.ts'

const manyTools = (count: number): Server =>
  createServer({
    name: 'many',
    version: '1.0.0',
    tools: Array.from({ length: count }, (_, index) =>
      tool({
        name: `tool_${index}`,
        title: `Tool number ${index}`,
        description: `Does the ${index}th thing of very many, and says so in a sentence that does not fit into the list.`,
        input: { type: 'object', properties: { value: { type: 'string' } } },
        run: () => `ran ${index}`,
      }),
    ),
  })

inBrowser('much of everything', () => {
  test('1,000 tools: only those near the view exist, each can be reached by scrolling, by searching and by its address', async () => {
    await using http = await serveHttp(manyTools(1_000), { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'many', url: http.url }] })
    const { page } = visit
    const effort = await watchEffort(page)
    const items = page.locator('.list-item')
    await items.first().waitFor()
    await page.getByText('1000 tools are offered').waitFor()
    const most = 250
    expect(await items.count()).toBeLessThan(most)

    const scroll = page.locator('.list-scroll')
    for (const share of [0.1, 0.5, 0.9, 1]) {
      await scroll.evaluate((node, at) => node.scrollTo(0, (node.scrollHeight - node.clientHeight) * at), share)
      // Something is in view wherever one looks, and not much more than that exists.
      await expect
        .poll(() =>
          scroll.evaluate((node) => {
            const { left, top, height } = node.getBoundingClientRect()
            return document.elementFromPoint(left + 40, top + height / 2)?.closest('.list-item')?.textContent ?? ''
          }),
        )
        .toMatch(/^Tool number \d+/)
      expect(await items.count()).toBeLessThan(most)
    }
    await scroll.evaluate((node) => node.scrollTo(0, node.scrollHeight))
    await page.getByRole('link', { name: /^Tool number 999/ }).waitFor()
    expect((await effort('1,000 tools, scrolled through')).elements).toBeLessThan(3_000)

    const box = page.getByLabel('Search tools')
    await box.pressSequentially('number 77')
    await expect.poll(() => items.count()).toBe(19)
    await box.fill('number')
    await expect.poll(() => items.count()).toBeGreaterThan(40)
    expect(await items.count()).toBeLessThan(most)
    await box.fill('tool_123')
    await page.getByRole('link', { name: /^Tool number 123/ }).click()
    await page.getByRole('heading', { name: 'Tool number 123' }).waitFor()
    await effort('1,000 tools, searched')
    await visit.find('Tool number 875')
    await page.getByRole('heading', { name: 'Tool number 875' }).waitFor()
    await effort('1,000 tools, the palette')
    expect(visit.complaints).toEqual([])
  })

  test('100,000 messages: scrolling and filtering keep few rows and little memory, and a page at rest does nothing', async () => {
    await using visit = await Visit.begin({ servers: [flood(100_000)] })
    const { page } = visit
    const effort = await watchEffort(page)
    await visit.goTo('timeline')
    const list = page.getByRole('listbox', { name: 'Messages, 100000 in all' })
    await list.waitFor({ timeout: 100_000 })
    await effort('100,000 messages arrive')
    const rows = page.getByRole('option')
    const inView = (): Promise<boolean> =>
      list.evaluate((node) => {
        const { left, top, height } = node.getBoundingClientRect()
        return document.elementFromPoint(left + 40, top + height / 2)?.closest('[role=option]') !== null
      })
    for (let at = 0; at <= 20; at++) {
      await list.evaluate((node, share) => node.scrollTo(0, (node.scrollHeight - node.clientHeight) * share), at / 20)
      await expect.poll(inView).toBe(true)
      expect(await rows.count()).toBeLessThan(150)
    }
    await effort('100,000 messages, scrolled through')
    const box = page.getByLabel('Filter messages')
    await box.pressSequentially('"message number 4242')
    await page.getByRole('listbox', { name: 'Messages, 11 in all' }).waitFor()
    await box.fill('kind:notification from:server -"number 1"')
    await page.getByRole('listbox', { name: /Messages, 8888\d in all/ }).waitFor()
    expect(await rows.count()).toBeLessThan(150)
    const { heapMb, elements } = await effort('100,000 messages, filtered')
    expect(heapMb).toBeLessThan(64)
    expect(elements).toBeLessThan(3_000)

    // Without messages and input, nothing may change once all is drawn.
    const changes = (): Promise<number> =>
      page.evaluate(async () => {
        let count = 0
        const original = window.ResizeObserver
        window.ResizeObserver = class extends original {
          constructor(callback: ResizeObserverCallback) {
            super(callback)
            count++
          }
        }
        const observer = new MutationObserver((records) => {
          count += records.length
        })
        observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
        for (let frame = 0; frame < 60; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
        observer.disconnect()
        window.ResizeObserver = original
        return count
      })
    await expect.poll(changes).toBe(0)
    expect(visit.complaints).toEqual([])
  })

  // This fits into a frame: a screen of rows, and an answer that is parsed in a moment.
  const budget = { changes: 1_200, replyBytes: 64 * 1024 }
  const within = ({ changes, replyBytes }: PageWork): void => {
    expect(changes).toBeLessThan(budget.changes)
    expect(replyBytes).toBeLessThan(budget.replyBytes)
  }

  test('1,000 tools: whatever a person does, the page draws a screen of them at once, and no more', async () => {
    await using http = await serveHttp(manyTools(1_000), { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'many', url: http.url }] })
    const { page } = visit
    await page.getByText('1000 tools are offered').waitFor()
    const items = page.locator('.list-item')
    const task = (what: string, act: () => Promise<void>): Promise<PageWork> =>
      mostWork(page, `1,000 tools, ${what}`, act)
    const scrolled = await task('scrolled', () => scrollThrough(page, '.list-scroll'))
    within(scrolled)
    const box = page.getByLabel('Search tools')
    const searched = await task('searched', async () => {
      await box.pressSequentially('number 77')
      await expect.poll(() => items.count()).toBe(19)
      await box.fill('')
      await expect.poll(() => items.count()).toBeGreaterThan(40)
    })
    within(searched)
    const found = await task('the palette', async () => {
      await page.keyboard.press('Control+k')
      const options = page.getByRole('listbox', { name: 'Found' }).getByRole('option')
      await options.first().waitFor()
      await page.getByRole('combobox', { name: 'Go to' }).pressSequentially('Tool number 875')
      await expect.poll(() => options.count()).toBe(1)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Tool number 875' }).waitFor()
    })
    within(found)
  })

  test('100,000 messages, and 1,000 more in a second: the page gets and draws a screen of them at once, and no more', async () => {
    await using visit = await Visit.begin({ servers: [flood(97_000, 2_500)] })
    const { page } = visit
    await visit.goTo('timeline')
    const task = (what: string, act: () => Promise<void>): Promise<PageWork> =>
      mostWork(page, `100,000 messages, ${what}`, act)
    await page.getByRole('listbox', { name: /Messages, 9700\d in all/ }).waitFor({ timeout: 100_000 })
    // The rest is sent once the page is shown, and not whenever the browser happens to be ready.
    const bench = await TestBench.at({ ...visit.inspector, url: visit.inspector.newUrl() })
    const [row] = (await bench.run('timeline.query', { query: '', offset: 0, count: 1 })).rows
    const all = (): Promise<number> =>
      bench.run('timeline.query', { query: '', offset: 0, count: 1 }).then(({ total }) => total)
    const arrived = await task('live', async () => {
      const before = await all()
      await bench.run('server.ping', { server: row!.server })
      // The ping and its answer are messages too.
      await page.getByRole('listbox', { name: `Messages, ${before + 2_502} in all` }).waitFor({ timeout: 100_000 })
    })
    within(arrived)
    const scrolled = await task('scrolled', () => scrollThrough(page, '.rows'))
    within(scrolled)
    const box = page.getByLabel('Filter messages')
    const filtered = await task('filtered', async () => {
      await box.pressSequentially('"message number 4242')
      await page.getByRole('listbox', { name: 'Messages, 11 in all' }).waitFor()
      await box.fill('')
      await page.getByRole('listbox', { name: `Messages, ${await all()} in all` }).waitFor()
    })
    within(filtered)
    const laned = await task('in lanes', async () => {
      await page.getByRole('button', { name: 'Lanes' }).click()
      await page.getByRole('application', { name: /Requests in lanes, [1-9]/ }).waitFor()
      for (let times = 0; times < 5; times++) await page.getByRole('button', { name: 'Zoom in' }).click()
      await page.getByRole('button', { name: 'Everything', exact: true }).click()
    })
    within(laned)
    expect(visit.complaints).toEqual([])
  })
})

/** From one end to the other, in steps that each are drawn. */
async function scrollThrough(page: Page, place: string): Promise<void> {
  await page.locator(place).evaluate(async (node) => {
    for (let at = 0; at <= 30; at++) {
      node.scrollTo(0, ((node.scrollHeight - node.clientHeight) * at) / 30)
      for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  })
}
