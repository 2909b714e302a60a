import { createServer as createHttp } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, resource, type Server, tool } from '@tenon/sdk/server'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { ServerSpec } from '../src/protocol.ts'
import { inBrowser, Visit } from './browser.suite.ts'
import { watchJumps } from './layout.suite.ts'
import { everything, startInTest } from './workbench-in-test.suite.ts'

/** Doors at which calls wait until the test opens them. */
class Doors {
  readonly #open = new Map<string, () => void>()
  readonly #waiting = new Map<string, Promise<void>>()

  at(name: string): Promise<void> {
    const known = this.#waiting.get(name)
    if (known !== undefined) return known
    const door = new Promise<void>((resolve) => this.#open.set(name, resolve))
    this.#waiting.set(name, door)
    return door
  }

  open(name: string): void {
    void this.at(name)
    this.#open.get(name)!()
  }
}

const lines = Array.from({ length: 80 }, (_, at) => `line ${at}`).join('\n')

/** A server that does nothing before the test lets it. */
const patient = (doors: Doors): Server =>
  createServer({
    name: 'patient',
    version: '1.0.0',
    resources: [
      resource({
        uri: 'text:///long',
        name: 'long',
        read: async () => {
          await doors.at('read')
          return lines
        },
      }),
    ],
    tools: [
      tool({
        name: 'wait',
        run: async (_input, ctx) => {
          await doors.at('question')
          await ctx.elicit('Who are you?', {
            type: 'object',
            properties: { name: { type: 'string' } },
          } as never)
          ctx.progress(1, 2, 'half of it')
          await doors.at('result')
          return lines
        },
      }),
    ],
  })

/** Less than a hundredth of a percent is a digit more in a number. */
const allowed = 0.0001

inBrowser('nothing jumps', () => {
  test('while servers connect or fail, questions come, and answers come: what was there stays where it is', async () => {
    const doors = new Doors()
    await using http = await serveHttp(patient(doors), { port: 0 })
    const refusing = createHttp(async (_request, response) => {
      await doors.at('refusal')
      response.writeHead(500).end('no')
    })
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve))
    const bad = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}/mcp`
    await using visit = await Visit.begin({
      servers: [
        everything,
        { kind: 'url', name: 'patient', url: http.url, revision: '2025-11-25' },
        { kind: 'url', name: 'failing', url: bad },
      ],
    })
    const { page } = visit
    const jumps = await watchJumps(page)
    const stays = async (what: string): Promise<void> =>
      expect
        .soft(
          (await jumps()).filter(({ score }) => score > allowed),
          what,
        )
        .toEqual([])
    // Shifts within half a second of a click are not counted: everything here happens later than that.
    const afterInput = (): Promise<void> => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 600)))

    await page.locator('.list-item', { hasText: 'wait' }).waitFor()
    await page.getByRole('link', { name: 'Divide' }).waitFor()
    await stays('lists arrive')
    // The name of the server stays above the items that slide under it.
    for (const by of [10, 20, 30, 200]) {
      const onTop = await page.locator('.list-scroll').evaluate((list, past) => {
        const group = list.querySelector('section[aria-label="everything"]')!
        list.scrollTop += group.getBoundingClientRect().top - list.getBoundingClientRect().top + past
        const heading = group.querySelector('.list-group')!
        const { left, bottom } = heading.getBoundingClientRect()
        return heading.contains(document.elementFromPoint(left + 20, bottom - 4))
      }, by)
      expect(onTop, `scrolled by ${by}`).toBe(true)
    }

    await page.getByRole('link', { name: /failing/ }).click()
    await afterInput()
    doors.open('refusal')
    await page.getByRole('alert').waitFor()
    await stays('a connection fails')
    await page.getByRole('link', { name: 'Find out why' }).click()
    await page.locator('[data-step="http"]').waitFor()

    await visit.find('wait')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByText('Waiting for the answer').waitFor()
    await afterInput()
    await jumps()
    doors.open('question')
    const dock = page.getByRole('complementary', { name: 'A server asks' })
    await dock.getByRole('textbox', { name: 'name' }).waitFor()
    await stays('a question comes')
    await dock.getByRole('button', { name: 'Send answer' }).click()
    await dock.waitFor({ state: 'hidden' })
    await afterInput()
    await jumps()
    doors.open('result')
    await page.getByText('line 79').first().waitFor()
    await stays('a result comes')

    await visit.find('text:///long')
    await page.getByText('Waiting for the answer').waitFor()
    await afterInput()
    await jumps()
    doors.open('read')
    await page.getByText('line 79').first().waitFor()
    await stays('a resource comes')
    refusing.closeAllConnections()
    refusing.close()
  })
})

/** More servers than a rail has room for. Nothing listens there. */
const many: ServerSpec[] = Array.from({ length: 14 }, (_, at) => ({
  kind: 'url',
  name: `nobody ${at}`,
  url: `http://127.0.0.1:9/${at}`,
}))

/** How far the document is larger than the window. */
const overflow = (page: Page): Promise<number[]> =>
  page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement
    const root = document.querySelector('#root')!
    return [scrollWidth - innerWidth, scrollHeight - innerHeight, root.scrollHeight - innerHeight]
  })

const boxOf = async (place: Locator) => (await place.boundingBox())!

inBrowser('room', () => {
  test('one pane below 1000 px, two from there, a form beside its result from 1280 px; the document never scrolls', async () => {
    await using visit = await Visit.begin({ servers: [everything, ...many] })
    const { page } = visit
    await page.getByRole('link', { name: 'Describe this connection' }).click()
    const place = new URL(page.url()).hash
    await page.getByRole('button', { name: 'Call tool' }).click()
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByText('done').waitFor()
    const form = page.locator('.tool-form')
    const panes: { [width: number]: string } = {}
    for (const width of [360, 768, 999, 1000, 1024, 1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 640 })
      for (const screen of ['', 'servers', 'timeline', 'tools', 'add']) {
        await visit.goTo(screen)
        await page.locator('main > *').first().waitFor()
        expect.soft(await overflow(page), `${screen} at ${width}`).toEqual([0, 0, 0])
      }
      await page.goto(`${new URL(visit.inspector.url).origin}/${place}`)
      await result.waitFor()
      expect.soft(await overflow(page), `a tool at ${width}`).toEqual([0, 0, 0])
      const [left, right] = [await boxOf(form), await boxOf(result)]
      const isBeside = right.x >= left.x + left.width && right.y < left.y + left.height
      const hasList = await page.locator('.list-pane').isVisible()
      panes[width] = [hasList ? 'list' : '', 'form', isBeside ? 'beside' : 'above', 'result'].filter(Boolean).join(' ')
    }
    expect(panes).toEqual({
      360: 'form above result',
      768: 'form above result',
      999: 'form above result',
      1000: 'list form above result',
      1024: 'list form above result',
      1280: 'list form beside result',
      1440: 'list form beside result',
      1920: 'list form beside result',
    })
    expect(visit.complaints).toEqual([])
  })

  test('lines between panes move with pointer and keys, and a workbench on another port remembers them', async () => {
    await using visit = await Visit.begin({ servers: [everything] })
    const { page } = visit
    const list = page.getByRole('separator', { name: 'Edge of the list' })
    const widthOf = async (selector: string): Promise<number> => Math.round((await boxOf(page.locator(selector))).width)
    await list.focus()
    const before = await widthOf('.list-pane')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(() => widthOf('.list-pane')).toBe(before + 80)
    expect(await list.getAttribute('aria-valuenow')).toBe(String(before + 80))
    const rail = page.getByRole('separator', { name: 'Edge of the rail' })
    const { x, y, height } = await boxOf(rail)
    const railBefore = await widthOf('.rail')
    await page.mouse.move(x, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + 44, y + height / 2, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => widthOf('.rail')).toBe(railBefore + 44)
    await page.getByRole('button', { name: 'Rows: roomy' }).click()
    // The panel opens below the page, is put beside it, and made wider.
    await page.getByRole('button', { name: 'Messages' }).click()
    await page.getByRole('button', { name: 'Put the panel beside the page' }).click()
    const panel = page.getByRole('complementary', { name: 'Panel' })
    const panelBefore = (await boxOf(panel)).width
    await page.getByRole('separator', { name: 'Edge of the panel' }).press('ArrowLeft')
    await expect.poll(async () => (await boxOf(panel)).width).toBe(panelBefore + 16)

    await using other = await startInTest({ servers: [everything] })
    await page.goto(other.url)
    await visit.page.getByRole('link', { name: 'Tools' }).first().click()
    await page.locator('.list-item').first().waitFor()
    expect(await widthOf('.list-pane')).toBe(before + 80)
    expect(await widthOf('.rail')).toBe(railBefore + 44)
    expect((await boxOf(panel)).width).toBe(panelBefore + 16)
    await page.getByRole('button', { name: 'Rows: compact' }).waitFor()
    // A double click leads back.
    await list.dblclick()
    await expect.poll(() => widthOf('.list-pane')).toBe(before)
    expect(visit.complaints).toEqual([])
  })

  test('the panel of every page: messages of the call, its log and output, and questions that cover nothing', async () => {
    const doors = new Doors()
    await using http = await serveHttp(patient(doors), { port: 0 })
    await using visit = await Visit.begin({
      servers: [everything, { kind: 'url', name: 'patient', url: http.url, revision: '2025-11-25' }],
    })
    const { page } = visit
    await page.context().grantPermissions(['notifications'])
    await page.evaluate(() => {
      const notified: string[] = []
      Object.assign(window, { notified })
      window.Notification = class extends Notification {
        constructor(title: string, options?: NotificationOptions) {
          super(title, options)
          notified.push(`${title}: ${options?.body}`)
        }
      }
      // A headless browser shows all of its pages.
      Object.defineProperty(document, 'hidden', { get: () => true })
    })
    await visit.find('wait')
    await page.getByRole('button', { name: 'Call tool' }).click()
    const cancel = page.getByRole('region', { name: 'Result' }).getByRole('button', { name: 'Cancel' })
    await cancel.waitFor()
    expect(await page.title()).toBe('Tenon Workbench')
    doors.open('question')
    const dock = page.getByRole('complementary', { name: 'A server asks' })
    await dock.getByRole('textbox', { name: 'name' }).waitFor()
    await expect.poll(() => page.title()).toBe('(1) patient asks you · Tenon Workbench')
    await page.getByRole('link', { name: /^Questions\s*1$/ }).waitFor()
    expect(await page.evaluate(() => (window as unknown as { notified: string[] }).notified)).toEqual([
      'patient asks you: Who are you?',
    ])
    for (const width of [1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 })
      await cancel.scrollIntoViewIfNeeded()
      expect(await isInView(cancel), `Cancel at ${width}`).toBe(true)
      // The buttons of the question are in view without scrolling.
      expect(await isInView(dock.getByRole('button', { name: 'Send answer' }))).toBe(true)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    // Messages of this call alone, in the words of the protocol; one opens in place.
    await dock.getByRole('tab', { name: 'Messages' }).click()
    const panel = page.getByRole('complementary', { name: 'Panel' })
    const lines = panel.getByRole('log', { name: 'Live messages' }).getByRole('button')
    await expect
      .poll(async () => (await lines.allTextContents()).map((text) => text.replace(/[\d.:]+( ms| s)?$/, '')))
      .toEqual(['tools/call waitrequest', 'elicitation/createrequest'])
    await lines.first().click()
    await panel.getByText('"tools/call"').waitFor()
    await panel.getByLabel('Shown in the panel').selectOption('All servers')
    await lines.getByText('resources/templates/list').first().waitFor()
    await panel.getByRole('tab', { name: /^Questions/ }).click()
    await dock.getByRole('button', { name: 'Send answer' }).click()
    await dock.waitFor({ state: 'hidden' })
    await expect.poll(() => page.title()).toBe('Tenon Workbench')
    // The log and the output of another server, on its page.
    await page.getByRole('link', { name: /^everything/ }).click()
    await panel.getByRole('tab', { name: 'Output' }).click()
    await panel.getByText('The standard error of the process appears here').waitFor()
    await panel.getByRole('tab', { name: 'Log' }).click()
    await panel.getByLabel('Server sends from').waitFor()
    await panel.getByRole('button', { name: 'Close the panel' }).click()
    await page.getByRole('button', { name: 'Messages' }).waitFor()
    doors.open('result')
    expect(visit.complaints).toEqual([])
  })
})

/** Whether an element is in the window, and nothing is over its middle. */
const isInView = (place: Locator): Promise<boolean> =>
  place.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect()
    return node.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })
