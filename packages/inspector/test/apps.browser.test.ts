import { serveHttp } from '@tenon/sdk/node'
import { expect, test } from 'vitest'
import { hostileApp, mirrorApp } from './apps.suite.ts'
import { barriers } from './axe.suite.ts'
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
    await view.getByRole('listitem').getByText('ui/initialize').first().waitFor()

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
    // It wants to be a million pixels high, once it has tried everything: content below it has its place only then.
    await expect.poll(async () => (await view.locator('iframe').boundingBox())?.height).toBe(800)
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
    // It declared an origin, which was not allowed.
    await view.getByText('The view would like to reach').waitFor()
    expect(await view.locator('iframe').getAttribute('src')).not.toContain('evil.example')
    expect(page.url().startsWith(origin)).toBe(true)
    expect(page.context().pages()).toHaveLength(1)
    expect(await page.locator('.server-link').count()).toBe(1)

    await view.getByRole('button', { name: 'Allow it' }).click()
    await expect.poll(() => view.locator('iframe').getAttribute('src')).toContain('evil.example')
  })
  test('a view is tried in sizes, colours, languages and safe areas, on the full screen and beside itself', async () => {
    await using http = await serveHttp(mirrorApp(), { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'mirror', url: http.url }] })
    const { page } = visit
    await page.getByRole('link', { name: 'show' }).first().click()
    await page.getByRole('button', { name: 'Call tool' }).click()
    const view = page.getByRole('region', { name: 'View', exact: true })
    const first = view.getByRole('article', { name: 'First view' })
    const inside = first.frameLocator('iframe').frameLocator('iframe')
    const told = async (): Promise<{ [member: string]: unknown }> =>
      JSON.parse((await inside.locator('#context').textContent()) || '{}') as { [member: string]: unknown }
    const frame = first.locator('iframe')
    const sizeOf = async (): Promise<(number | undefined)[]> => {
      const box = await frame.boundingBox()
      return [box?.width, box?.height]
    }
    await expect.poll(told).toMatchObject({
      theme: 'light',
      displayMode: 'inline',
      locale: 'en-US',
      platform: 'web',
      containerDimensions: { maxHeight: 800 },
      safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
    })
    const { born } = await told()

    // Something that its policy forbids, as the browser reports it.
    const blocked = first.getByRole('list', { name: 'Blocked by the policy' })
    await blocked.getByText('https://pictures.example/a.png').waitFor()
    expect(await blocked.getByRole('listitem').textContent()).toMatch(/^img-src https:\/\/pictures\.example\/a\.png/)

    await first.getByLabel('Size').selectOption('phone')
    await expect.poll(sizeOf).toEqual([390, 222])
    await first.getByLabel('Theme').selectOption('dark')
    await first.getByLabel('Locale').fill('de-de')
    await first.getByLabel('Safe area').selectOption('top')
    await expect.poll(told).toMatchObject({
      theme: 'dark',
      locale: 'de-DE',
      platform: 'mobile',
      deviceCapabilities: { touch: true, hover: false },
      containerDimensions: { width: 390, maxHeight: 844 },
      safeAreaInsets: { top: 59, right: 0, bottom: 34, left: 0 },
    })
    const edges = first.locator('.app-edges')
    expect(await edges.evaluate((node) => getComputedStyle(node).borderWidth)).toBe('59px 0px 34px')
    await first.getByLabel('Locale').fill('no locale')
    expect(await first.getByLabel('Locale').getAttribute('aria-invalid')).toBe('true')
    await first.getByLabel('Locale').fill('ar-EG')
    await first.getByLabel('Safe area').selectOption('own')
    await first.getByLabel('Left').fill('12')
    await first.getByLabel('Size').selectOption('own')
    await first.getByLabel('Width').fill('345')
    await expect.poll(told).toMatchObject({
      locale: 'ar-EG',
      safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 12 },
      containerDimensions: { width: 345, maxHeight: 400 },
    })

    // The messages of both sides, in their order.
    await first.getByText('Messages of the view').click()
    const messages = first.getByRole('list', { name: 'Messages of the view' }).getByRole('listitem')
    await messages.first().waitFor()
    const lines = (await messages.locator('.row').allInnerTexts()).map((line) => line.replaceAll(/\s+/g, ' '))
    expect(lines.slice(0, 4)).toEqual([
      'view to host ui/initialize request',
      'host to view ui/initialize response',
      'view to host ui/notifications/initialized notification',
      'host to view ui/notifications/tool-input notification',
    ])
    expect(lines).toContain('host to view ui/notifications/tool-result notification')
    expect(lines).toContain('view to host ui/notifications/size-changed notification')
    expect(lines).toContain('host to view ui/notifications/host-context-changed notification')
    await first.getByText('Messages of the view').click()

    // The full screen is asked for, and a person decides.
    await first.getByLabel('Size').selectOption('fill')
    await inside.getByRole('button', { name: 'Bigger' }).click()
    await first.getByText('The view would like to have the full screen').waitFor()
    expect((await told()).displayMode).toBe('inline')
    await first.getByRole('button', { name: 'Let it' }).click()
    await expect.poll(told).toMatchObject({ displayMode: 'fullscreen' })
    expect(await inside.locator('#mode').textContent()).toBe('fullscreen')
    expect(await view.boundingBox()).toEqual({ x: 0, y: 0, width: 1280, height: 800 })
    await expect
      .poll(async () => (await told()).containerDimensions)
      .toEqual({
        width: (await sizeOf())[0],
        height: (await sizeOf())[1],
      })
    expect(await barriers(page, 'view-full')).toEqual([])
    await view.getByRole('button', { name: 'Full screen' }).focus()
    await page.keyboard.press('Escape')
    await expect.poll(told).toMatchObject({ displayMode: 'inline', containerDimensions: { maxHeight: 800 } })
    await expect.poll(async () => (await sizeOf())[1]).toBe(222)

    // A mode that the view does not know is kept from it.
    await view.getByRole('button', { name: 'Floating' }).click()
    await first.getByText('The view does not know this mode').waitFor()
    await expect.poll(sizeOf).toEqual([320, 240])
    expect((await told()).displayMode).toBe('inline')
    await view.getByRole('button', { name: 'In the page' }).click()
    expect((await told()).born).toBe(born)

    await view.getByRole('button', { name: 'Side by side' }).click()
    const second = view.getByRole('article', { name: 'Second view' })
    const beside = second.frameLocator('iframe').frameLocator('iframe').locator('#context')
    await expect.poll(() => beside.textContent()).toContain('"theme":"light"')
    expect(await told()).toMatchObject({ theme: 'dark', born })
    expect(await barriers(page, 'view-beside')).toEqual([])

    // A reload keeps the surroundings, and makes the views anew.
    const kept = page.waitForResponse(
      (response) => response.url().endsWith('/page.keep') && response.request().postData()!.includes('small-phone'),
    )
    await second.getByLabel('Size').selectOption('small-phone')
    await kept
    await page.reload()
    await expect.poll(() => beside.textContent()).toContain('"width":360')
    await expect.poll(told).toMatchObject({ theme: 'dark', locale: 'ar-EG' })
  })
})
