import { appResource, appTool } from '@tenon/sdk/apps'
import { serveHttp } from '@tenon/sdk/node'
import { createServer } from '@tenon/sdk/server'
import { expect, test } from 'vitest'
import { inBrowser, Visit } from './browser.suite.ts'

/** Speaks once, and never pauses again. */
const endless = `<!doctype html><p>here</p><script>
  const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  addEventListener('message', ({ data }) => {
    // The host has heard the last word when it answers the request after it.
    if (data?.id === 2) for (;;);
    if (data?.id !== 1) return
    send({ method: 'ui/notifications/initialized' })
    send({ method: 'notifications/message', params: { level: 'info', data: 'the last word' } })
    send({ id: 2, method: 'ping' })
  })
  const appInfo = { name: 'endless', version: '1' }
  send({ id: 1, method: 'ui/initialize', params: { protocolVersion: '2026-01-26', appInfo, appCapabilities: {} } })
</script>`

const app = appResource({ uri: 'ui://endless/view', name: 'endless', load: () => endless })
const server = createServer({
  name: 'endless',
  version: '1.0.0',
  resources: [app],
  tools: [appTool({ name: 'show', app, run: () => 'shown' })],
})

// Not every browser gives a frame without an origin a process of its own, as this one does by default.
inBrowser('a view that never pauses', () => {
  test.each(['127.0.0.1', 'localhost'])('does not stop the workbench at %s, which can take it away', async (name) => {
    await using http = await serveHttp(server, { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'endless', url: http.url }] })
    const { page, inspector } = visit
    await page.goto(inspector.newUrl().replace('127.0.0.1', name))
    await page.getByRole('link', { name: 'Tools' }).first().click()
    await page.getByRole('link', { name: 'show' }).first().click()
    await page.getByRole('button', { name: 'Call tool' }).click()
    const view = page.getByRole('region', { name: 'View' })
    // Two requests with their answers, two notifications of the view, and two of the host.
    await view.getByText('Messages of the view (8)').click()
    const lastWord = view.getByRole('listitem').getByText('"the last word"')
    await lastWord.waitFor()
    const sandbox = new URL((await view.locator('iframe').getAttribute('src'))!).hostname
    // Other sites have other processes: a name of this machine is another site than its address.
    expect([name, sandbox].toSorted()).toEqual(['127.0.0.1', 'localhost'])
    // The process of the view answers no more; the page does all that it did before.
    const inner = page.frames().find((frame) => frame.url() === 'about:srcdoc')!
    let answered = false
    void inner.evaluate('new Promise((done) => setTimeout(done, 300))').then(
      () => {
        answered = true
      },
      () => {},
    )
    for (let times = 0; times < 20; times++) await page.evaluate(() => new Promise((done) => setTimeout(done, 20)))
    expect(answered).toBe(false)
    await view.getByText('Messages of the view').click()
    await lastWord.waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Timeline' }).first().click()
    await page.getByRole('listbox', { name: /Messages/ }).waitFor()
    expect(await page.locator('iframe').count()).toBe(0)
  })
}, ['--disable-features=IsolateSandboxedIframes'])
