import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { barriers } from './axe.suite.ts'
import { inBrowser, Visit } from './browser.suite.ts'
import { flood } from './flood.suite.ts'
import { everything } from './workbench-in-test.suite.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'

/** The line about the chosen request. */
const said = (page: Page) => page.locator('.lanes-head').getByRole('status')

async function openLanes(visit: Visit): Promise<void> {
  await visit.goTo('timeline')
  await visit.page.getByRole('button', { name: 'Lanes' }).click()
  await visit.page.getByRole('application').waitFor()
}

async function callTool(visit: Visit, title: string): Promise<void> {
  await visit.find(title)
  await visit.page.getByRole('button', { name: 'Call tool' }).click()
}

inBrowser('the lanes of the timeline', () => {
  test('a person sees what happened at the same time, walks from request to request, and looks closer', async () => {
    await using visit = await Visit.begin({ servers: [everything, { ...everything, name: 'second' }] })
    const { page } = visit
    await page.getByRole('link', { name: 'Divide' }).first().waitFor()
    await visit.find('Tool of everything plan_trip')
    await page.getByLabel('destination').fill('Kyoto')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByRole('complementary', { name: 'A server asks' }).getByRole('button', { name: 'Decline' }).click()
    await page.getByRole('region', { name: 'Result' }).waitFor()
    await visit.find('Tool of second divide')
    await page.getByLabel('dividend').fill('1')
    await page.getByLabel('divisor').fill('0')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByText('The tool ran, and failed').waitFor()

    await openLanes(visit)
    const place = page.getByRole('application', { name: /Requests in lanes, \d+ in all/ })
    await expect.poll(() => said(page).textContent()).toMatch(/^\d+ requests$/)
    expect(await barriers(page, 'lanes')).toEqual([])

    // The keys go from one to the next, and each is shown beside with its exact duration.
    await visit.filter('method:tools/call name:plan_trip')
    await page.getByRole('application', { name: 'Requests in lanes, 2 in all' }).waitFor()
    await place.focus()
    await page.keyboard.press('ArrowRight')
    const message = page.getByRole('region', { name: 'Message' })
    await message.locator('.json-tree').getByText('"plan_trip"').waitFor()
    await expect.poll(() => said(page).textContent()).toMatch(/^[\d,]+\.\d{3} ms · asks · tools\/call plan_trip$/)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => said(page).textContent()).toMatch(/ms · (ok|error) ·/)
    // The second round of a call knows the first.
    await message.getByRole('button', { name: 'Part of' }).click()
    await expect.poll(() => said(page).textContent()).toMatch(/ · asks · /)
    expect(await barriers(page, 'lanes-chosen')).toEqual([])
    await place.focus()
    await page.keyboard.press('Escape')
    await message.waitFor({ state: 'hidden' })

    // The pointer: one bar takes all of the width.
    await visit.filter('name:divide')
    await page.getByRole('application', { name: 'Requests in lanes, 1 in all' }).waitFor()
    await place.hover({ position: { x: 300, y: 61 } })
    await expect
      .poll(() => page.locator('.lanes-tip').textContent())
      .toMatch(/^[\d,]+\.\d{3} ms · error · tools\/call divide$/)
    await place.click({ position: { x: 300, y: 61 } })
    await message.locator('.json-tree').getByText('"divide"').waitFor()
    await message.getByRole('button', { name: 'Its answer' }).click()
    await message.getByText('isError').waitFor()
    await expect.poll(() => said(page).textContent()).toContain('tools/call divide')

    // Closer, and back: by button, by key and by wheel.
    await visit.filter('')
    await page.getByRole('button', { name: 'Close message' }).click()
    const all = page.getByRole('button', { name: 'Everything', exact: true })
    const isCloser = (): Promise<boolean> => all.isEnabled()
    expect(await isCloser()).toBe(false)
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await expect.poll(isCloser).toBe(true)
    // Open requests go on, so the whole time may have grown meanwhile.
    const zoomOut = page.getByRole('button', { name: 'Zoom out' })
    for (let times = 0; times < 5 && (await zoomOut.isEnabled()); times++) await zoomOut.click()
    await expect.poll(isCloser).toBe(false)
    await place.focus()
    await page.keyboard.press('+')
    await expect.poll(isCloser).toBe(true)
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('0')
    await expect.poll(isCloser).toBe(false)
    await place.hover({ position: { x: 300, y: 100 } })
    await page.mouse.wheel(0, -400)
    await expect.poll(isCloser).toBe(true)
    await all.click()
    await expect.poll(isCloser).toBe(false)

    await visit.filter('nothing is called like this')
    await page.getByText('No request fits.').waitFor()
    expect(await barriers(page, 'lanes-nothing')).toEqual([])
    await page.getByRole('button', { name: 'List' }).click()
    await page.getByRole('listbox', { name: 'Messages, 0 in all' }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('a trace is shown, and all of it is found by its id', async () => {
    await using visit = await Visit.begin({ servers: [everything] })
    const { page } = visit
    await page.getByRole('link', { name: 'Divide' }).waitFor()
    await visit.find('Divide')
    await page.getByLabel('dividend').fill('1')
    await page.getByLabel('divisor').fill('1')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByText('fits the output schema').waitFor()
    await visit.goTo('timeline')
    await visit.filter('name:divide kind:request')
    await page.getByRole('listbox', { name: 'Messages, 1 in all' }).waitFor()
    await page.getByRole('option').click()
    const message = page.getByRole('region', { name: 'Message' })
    await message.getByText('Change and send again').click()
    const params = {
      name: 'divide',
      arguments: { dividend: 1, divisor: 1 },
      _meta: { traceparent: `00-${trace}-00f067aa0ba902b7-01` },
    }
    await message.getByLabel('Parameters of tools/call').fill(JSON.stringify(params))
    await message.getByRole('button', { name: 'Send' }).click()
    const requests = page.getByRole('listbox', { name: 'Messages, 2 in all' })
    await requests.waitFor()
    await requests.getByRole('option').last().click()
    await message.getByRole('button', { name: `trace ${trace}` }).click()
    expect(await page.getByLabel('Filter messages').inputValue()).toBe(`trace:${trace}`)
    await expect.poll(() => page.getByRole('option').count()).toBe(2)
    expect(await barriers(page, 'trace')).toEqual([])
  })

  test('the events of a stream, and the headers of both sides, are shown for a server over HTTP', async () => {
    const wait = tool({
      name: 'report',
      run: (_, ctx) => {
        ctx.progress(1, 2)
        return 'reported'
      },
    })
    await using http = await serveHttp(createServer({ name: 'streams', version: '1.0.0', tools: [wait] }), { port: 0 })
    await using visit = await Visit.begin({
      servers: [{ kind: 'url', name: 'streams', url: http.url, revision: '2025-11-25' }],
    })
    const { page } = visit
    await page.getByRole('link', { name: 'report' }).waitFor()
    await callTool(visit, 'report')
    await page.getByText('reported').waitFor()
    await visit.goTo('timeline')
    await visit.filter('kind:http "lastEventId" "Mcp-Session-Id"')
    await page.getByRole('option').first().click()
    const tree = page.getByRole('region', { name: 'Message' }).locator('.json-tree')
    for (const part of ['request', 'reply', 'stream', 'lastEventId', 'text/event-stream', 'Mcp-Session-Id']) {
      await tree.getByText(part).first().waitFor()
    }
    // In the lanes they are there for who asks for them.
    await page.getByRole('button', { name: 'Lanes' }).click()
    await page.getByRole('application', { name: /^Requests in lanes, [1-9]/ }).waitFor()
  })

  test('100,000 messages are a picture and no elements, and a page at rest does not draw', async () => {
    await using visit = await Visit.begin({ servers: [flood(100_000)] })
    const { page } = visit
    await openLanes(visit)
    await page.getByRole('link', { name: /^Timeline 100,000/ }).waitFor({ timeout: 120_000 })
    await expect.poll(() => said(page).textContent()).toMatch(/requests$/)
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(400)
    // Once all is drawn, nothing is drawn.
    const drawn = (): Promise<number> =>
      page.evaluate(async () => {
        let count = 0
        const { fillRect } = CanvasRenderingContext2D.prototype
        CanvasRenderingContext2D.prototype.fillRect = function (...box) {
          count++
          return fillRect.apply(this, box)
        }
        for (let frame = 0; frame < 60; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
        CanvasRenderingContext2D.prototype.fillRect = fillRect
        return count
      })
    await expect.poll(drawn).toBe(0)
    expect(visit.complaints).toEqual([])
  })
})
