import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { appResource, appTool } from '@tenon/sdk/apps'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { barriers } from './axe.suite.ts'
import { inBrowser, Visit } from './browser.suite.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'states-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A view that shows the colours of its host as text, and wants a page to be opened. */
const colours = `<!doctype html><html lang="en"><title>Colours</title><main><h1 id="theme">waiting</h1></main>
<script>
  const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  const heard = []
  const show = (theme) => { heard.push(theme); document.getElementById('theme').textContent = heard.join(' then ') }
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || data?.jsonrpc !== '2.0') return
    if (data.id === 1 && data.result) {
      show(data.result.hostContext.theme)
      send({ method: 'ui/notifications/initialized' })
      send({ id: 2, method: 'ui/open-link', params: { url: 'https://example.com/wanted' } })
    }
    if (data.method === 'ui/notifications/host-context-changed') show(data.params.theme)
    if (data.method === 'ui/resource-teardown') send({ id: data.id, result: {} })
  })
  const appInfo = { name: 'colours', version: '1' }
  send({ id: 1, method: 'ui/initialize', params: { protocolVersion: '2026-01-26', appInfo, appCapabilities: {} } })
</script>`

const view = appResource({
  uri: 'ui://colours/view',
  name: 'view',
  html: colours,
  csp: { connectDomains: ['https://example.com'] },
})

const helper = () =>
  createServer({
    name: 'helper',
    version: '1.0.0',
    resources: [view],
    tools: [
      appTool({ name: 'show', app: view, run: () => 'shown' }),
      tool({
        name: 'ask_model',
        run: async (_input, ctx) => {
          const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Name a colour' } }]
          return JSON.stringify((await ctx.sample({ messages, maxTokens: 50 })).content)
        },
      }),
      tool({
        name: 'ask_page',
        run: async (_input, ctx) => (await ctx.elicitUrl('Look', 'https://example.com/')).action,
      }),
    ],
  })

inBrowser('every state of the page', () => {
  test('a view is told when the colours change, whoever changes them, and a page that it wants waits', async () => {
    await using http = await serveHttp(helper(), { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'helper', url: http.url }] })
    const { page } = visit
    await page.emulateMedia({ colorScheme: 'light' })
    await page.getByRole('link', { name: 'show' }).click()
    await page.getByRole('button', { name: 'Call tool' }).click()
    const card = page.getByRole('region', { name: 'View' })
    const theme = card.frameLocator('iframe').frameLocator('iframe').locator('#theme')
    await theme.getByText('light', { exact: true }).waitFor()
    // Each of both frames alone has to forbid everything.
    expect(await card.locator('iframe').getAttribute('sandbox')).toBe('allow-scripts allow-same-origin allow-forms')
    const inner = page.frames().find((frame) => frame.parentFrame()?.parentFrame() === page.mainFrame())!
    expect(await (await inner.frameElement()).getAttribute('sandbox')).toBe('allow-scripts allow-forms')
    await card.getByText('The view wants to open a page').waitFor()
    await card.getByText('https://example.com/wanted').waitFor()
    // The system first, then the person.
    await page.emulateMedia({ colorScheme: 'dark' })
    await theme.getByText('light then dark', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Colours: as the system' }).click()
    await theme.getByText('light then dark then light', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Colours: light' }).click()
    await theme.getByText('light then dark then light then dark', { exact: true }).waitFor()
    // The choice of the person outweighs the system.
    await page.emulateMedia({ colorScheme: 'light' })
    await page.getByRole('button', { name: 'Colours: dark' }).click()
    await theme.getByText(/dark then light$/).waitFor()
    expect(await theme.textContent()).toBe('light then dark then light then dark then light')
    await card.getByText('Messages of the view').click()
    await card.getByRole('listitem').getByText('ui/initialize').first().waitFor()
    expect(await barriers(page, 'app-card')).toEqual([])
    await card.getByRole('button', { name: 'Refuse' }).click()
    await card.getByText('The view wants to open a page').waitFor({ state: 'hidden' })
    expect(page.context().pages()).toHaveLength(1)
    expect(visit.complaints).toEqual([])
  })

  test('axe finds nothing on questions to the model and of a page, on dialogs, and where nothing is or nothing works', async () => {
    await using http = await serveHttp(helper(), { port: 0 })
    await using visit = await Visit.begin({ calls: folder })
    const { page } = visit
    for (const screen of ['tools', 'resources', 'prompts', 'timeline', 'sessions', 'saved', 'questions']) {
      await visit.goTo(screen)
      await page.locator('.empty, .pane-note').first().waitFor()
      const hasList = screen !== 'timeline' && screen !== 'questions'
      if (hasList) {
        await page.setViewportSize({ width: 360, height: 740 })
        await page.locator('.detail-pane .empty').waitFor()
        await page.setViewportSize({ width: 1280, height: 800 })
      }
      expect.soft(await barriers(page, `empty-${screen}`)).toEqual([])
    }
    await visit.goTo('servers', 'nobody')
    await page.getByText('There is no such server').waitFor()
    expect.soft(await barriers(page, 'no-server')).toEqual([])
    await visit.goTo('add')
    await page.getByRole('tab', { name: 'URL' }).click()
    await page.getByText('More settings').click()
    expect.soft(await barriers(page, 'add-url')).toEqual([])
    await page.getByRole('textbox', { name: 'URL' }).fill('file:///etc/passwd')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('alert').getByText('expected an http').waitFor()
    expect.soft(await barriers(page, 'refused-url')).toEqual([])
    await page.getByRole('textbox', { name: 'URL' }).fill(http.url)
    await page.getByLabel('Name', { exact: true }).fill('helper')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('helper 1.0.0').waitFor()

    await visit.find('ask_model')
    await page.getByRole('button', { name: 'Call tool' }).click()
    const dock = page.getByRole('complementary', { name: 'A server asks' })
    await dock.getByText('Set up a model').click()
    await dock.getByLabel('Address of the model').fill('http://127.0.0.1:9/v1')
    await dock.getByLabel('Name of the model').fill('tiny')
    await dock.getByRole('button', { name: 'Use this model' }).click()
    await dock.getByRole('button', { name: 'Let the model answer' }).click()
    await dock
      .getByRole('alert')
      .getByText(/bad port|ECONNREFUSED/)
      .waitFor()
    expect.soft(await barriers(page, 'model-form')).toEqual([])
    await dock.getByRole('button', { name: 'Later' }).click()
    await page.getByRole('button', { name: '1 question waits' }).waitFor()
    expect.soft(await barriers(page, 'put-away')).toEqual([])
    await page.getByRole('button', { name: '1 question waits' }).click()
    await dock.getByRole('button', { name: 'Decline' }).click()
    await dock.waitFor({ state: 'hidden' })
    await visit.find('ask_page')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await dock.getByRole('link', { name: 'Open the page' }).waitFor()
    expect.soft(await barriers(page, 'page-question')).toEqual([])
    await dock.getByRole('button', { name: 'Decline' }).click()

    await http.close()
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.locator('[data-problem="transport"]').first().waitFor()
    expect.soft(await barriers(page, 'lost-connection')).toEqual([])
    await visit.inspector.close()
    await page.getByText('The workbench does not answer').waitFor()
    expect.soft(await barriers(page, 'workbench-gone')).toEqual([])
  })
})
