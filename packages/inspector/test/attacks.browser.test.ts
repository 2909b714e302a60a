import { serveHttp } from '@tenon/sdk/node'
import {
  audio,
  createServer,
  embed,
  image,
  prompt,
  resource,
  resourceLink,
  type Server,
  text,
  tool,
} from '@tenon/sdk/server'
import { expect, test } from 'vitest'
import { inBrowser, Visit } from './browser.suite.ts'

const script = '<script>window.pwned = true; alert(1)</script>'
const picture = '<img src="https://evil.example/pixel.png" onerror="window.pwned = true">'
const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="window.pwned=true"><script>window.pwned=true</script><image href="https://evil.example/svg.png"/></svg>`
const base64 = (data: string): string => Buffer.from(data).toString('base64')

/** Everything that a page must not do, wherever a server can put something. */
const payloads = [
  script,
  picture,
  `[click](javascript:window.pwned=true) [data](data:text/html,${script}) ![pixel](https://evil.example/md.png)`,
  `<a href="javascript:window.pwned=true">link</a> <iframe src="https://evil.example"></iframe>`,
  `\u001b]8;;https://evil.example\u0007text\u001b]8;;\u0007 \u202etxt.exe`,
]

function hostileServer(): Server {
  const nasty = tool({
    name: 'nasty',
    title: `Nasty ${script}`,
    description: payloads.join('\n\n'),
    input: {
      type: 'object',
      title: script,
      properties: {
        [picture]: { type: 'string', title: script, description: picture, default: script },
        choice: { enum: [script, picture] },
      },
    },
    run: () => [
      ...payloads.map((payload) => text(payload)),
      image(Buffer.from(svg), 'image/svg+xml'),
      image(Buffer.from(script), 'text/html'),
      audio(Buffer.from(script), 'text/html'),
      resourceLink({ uri: 'javascript:window.pwned=true', name: script }),
      resourceLink({ uri: 'https://evil.example/link', name: 'elsewhere' }),
      embed({ uri: 'note:///x', mimeType: 'text/html', text: script }),
      embed({ uri: 'note:///y', mimeType: 'text/html', blob: base64(script) }),
    ],
  })
  return createServer({
    name: `evil ${script}`,
    version: '1.0.0',
    title: script,
    instructions: payloads.join('\n'),
    tools: [nasty],
    resources: [resource({ uri: 'note:///page', name: script, mimeType: 'text/html', read: () => script + picture })],
    prompts: [prompt({ name: 'p', title: script, run: () => payloads[2]! })],
  })
}

inBrowser('what a hostile server sends', () => {
  test('is shown as text everywhere; nothing runs, nothing is loaded, no link leads where it should not', async () => {
    await using http = await serveHttp(hostileServer(), { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: `evil ${picture}`, url: http.url }] })
    const { page } = visit
    const isHarmless = async (): Promise<void> => {
      expect(await page.evaluate(() => (window as { pwned?: boolean }).pwned)).toBeUndefined()
      expect(await page.locator('iframe, object, embed, main script, main svg:not(.icon-drawing)').count()).toBe(0)
      const links = await page
        .locator('main a[href]')
        .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))
      expect(links.filter((link) => !/^https?:\/\//.test(link))).toEqual([])
      const sources = await page
        .locator('main img')
        .evaluateAll((all) => all.map((node) => (node as HTMLImageElement).src))
      expect(sources.filter((source) => !/^data:image\//.test(source))).toEqual([])
      expect(visit.complaints).toEqual([])
      expect(visit.outside).toEqual([])
    }
    await page.getByRole('link', { name: /Nasty/ }).click()
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.locator('[data-block="resource"]').last().waitFor()
    await page.locator('img.picture').waitFor()
    await page.getByText('␛]8;;https://evil.example␇text').first().waitFor()
    await isHarmless()

    await page.locator('.link-card').first().click()
    await page.getByRole('region', { name: 'Result' }).waitFor()
    await isHarmless()
    for (const [screen, ready] of [
      ['resources', '.list-item'],
      ['prompts', '.list-item'],
    ] as const) {
      await visit.goTo(screen)
      await page.locator(ready).first().click()
      if (screen === 'prompts') await page.getByRole('button', { name: 'Get prompt' }).click()
      await page.getByRole('region', { name: 'Result' }).locator('.block').first().waitFor()
      await isHarmless()
    }
    await visit.goTo('timeline')
    await page.getByRole('option').last().click()
    await isHarmless()
    await page.locator('.server-link').click()
    await page.getByRole('region', { name: 'Instructions' }).waitFor()
    await isHarmless()
  })

  test('a page that a server wants to be opened is opened only by the person, and only if it is a web page', async () => {
    const ask = tool({
      name: 'ask',
      run: async (_input, ctx) => (await ctx.elicitUrl('Open this', 'https://user@evil.example:8443/path?x=1')).action,
    })
    await using http = await serveHttp(createServer({ name: 'asker', version: '1.0.0', tools: [ask] }), { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'asker', url: http.url }] })
    const { page } = visit
    await page.locator('.list-item').click()
    await page.getByRole('button', { name: 'Call tool' }).click()
    const dock = page.getByRole('complementary', { name: 'A server asks' })
    await dock.locator('.address strong').getByText('evil.example:8443').waitFor()
    const link = dock.getByRole('link', { name: 'Open the page' })
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer')
    expect(page.context().pages()).toHaveLength(1)
    await dock.getByRole('button', { name: 'Decline' }).click()
    await page.getByRole('region', { name: 'Result' }).getByText('decline').first().waitFor()
    expect(visit.outside).toEqual([])
  })

  test('an address with a server in it does nothing by itself', async () => {
    await using visit = await Visit.begin({})
    await visit.goTo('servers', 'javascript:alert(1)')
    await visit.page.getByText('There is no such server').waitFor()
    await visit.goTo('tools', '../../api', '%')
    await visit.page.getByText('No tools yet').waitFor()
    expect(visit.complaints).toEqual([])
  })
})
