import { serveHttp } from '@tenon/sdk/node'
import { expect, test } from 'vitest'
import { hostileApp } from './apps.suite.ts'
import { inBrowser, Visit } from './browser.suite.ts'
import { everything } from './workbench-in-test.suite.ts'

inBrowser('views of servers', () => {
  test('a tool with a view shows it below its result, on another origin', async () => {
    await using visit = await Visit.begin({ servers: [everything] })
    const { page } = visit
    await page.getByRole('link', { name: 'Show a colour' }).click()
    await page.getByLabel('name').selectOption('teal')
    await page.getByRole('button', { name: 'Call tool' }).click()
    const view = page.getByRole('region', { name: 'View' })
    const card = view.frameLocator('iframe').frameLocator('iframe')
    await card.getByText(/^teal, #[0-9a-f]{6}$/).waitFor()
    const hex = (await card.locator('#name').textContent())!.slice('teal, '.length)
    const painted = await card.locator('#swatch').evaluate((node) => getComputedStyle(node).backgroundColor)
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
    expect(painted).toBe(`rgb(${red}, ${green}, ${blue})`)
    await page.getByText(`The user sees teal, ${hex}`).first().waitFor()
    await view.getByText('Messages of the view').click()
    await view.getByRole('listitem').getByText('ui/initialize').waitFor()

    const sandbox = new URL((await view.locator('iframe').getAttribute('src'))!).origin
    expect(sandbox).not.toBe(new URL(visit.inspector.url).origin)
    expect(visit.outside.filter((url) => !url.startsWith(`${sandbox}/`))).toEqual([])
    expect(visit.complaints).toEqual([])

    // The next call has a view of its own, and the one before is gone.
    await page.getByLabel('name').selectOption('navy')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await card.getByText(/^navy, /).waitFor()
    expect(await page.locator('iframe').count()).toBe(1)
  })

  test('a hostile view reads nothing, moves nothing, reaches no command and only the tools that are for views', async () => {
    const ran: string[] = []
    let origin = ''
    await using http = await serveHttp(
      hostileApp(() => origin, ran),
      { port: 0 },
    )
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'evil', url: http.url }] })
    const { page, inspector } = visit
    ;({ origin } = new URL(inspector.url))
    await page.getByRole('link', { name: 'show' }).first().click()
    await page.getByRole('button', { name: 'Call tool' }).click()
    const view = page.getByRole('region', { name: 'View' })
    // The view grows until it has said all: content below it has its place only then.
    await view.getByText('"all of it"').waitFor({ state: 'attached' })
    await view.getByText('Messages of the view').click()
    await view.getByText('"all of it"').waitFor()
    const said = await view
      .getByRole('list', { name: 'Messages of the view' })
      .getByRole('listitem')
      .filter({ hasText: 'notifications/message' })
      .allInnerTexts()
    const of = (name: string): string => said.find((text) => text.includes(`"${name}"`)) ?? ''
    for (const name of [
      'cookie',
      'storage',
      'top document',
      'sandbox document',
      'top location',
      'top href',
      'window',
      'api',
      'page',
      'frame',
    ]) {
      expect(of(name), name).toContain('"failed ')
    }
    expect(of('hidden tool')).toContain('-32')
    expect(of('own tool')).toContain('ran for_views')
    expect(ran).toEqual(['show', 'for_views'])
    // It wanted to be a million pixels high.
    expect((await view.locator('iframe').boundingBox())!.height).toBeLessThanOrEqual(800)
    // It declared an origin, which was not allowed.
    await view.getByText('The view would like to reach').waitFor()
    expect(await view.locator('iframe').getAttribute('src')).not.toContain('evil.example')
    expect(page.url().startsWith(origin)).toBe(true)
    expect(page.context().pages()).toHaveLength(1)
    expect(await page.locator('.server-link').count()).toBe(1)

    await view.getByRole('button', { name: 'Allow it' }).click()
    await expect.poll(() => view.locator('iframe').getAttribute('src')).toContain('evil.example')
  })
})
