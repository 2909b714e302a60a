import { serveHttp } from '@tenon/sdk/node'
import { expect, test } from 'vitest'
import { inBrowser, openPage, Visit } from './browser.suite.ts'
import { attacker, wayOutServer, waysOut } from './sandbox-attacks.suite.ts'

inBrowser('the sandbox of views', () => {
  test('no way leads out of a view: nothing is read, sent, opened, saved, moved or called that is not for views', async () => {
    const ran: string[] = []
    await using evil = await attacker()
    await using http = await serveHttp(wayOutServer(evil.origin, ran), { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'evil', url: http.url }] })
    const { page, inspector } = visit
    const downloads: string[] = []
    page.on('download', (download) => downloads.push(download.suggestedFilename()))
    await page.getByRole('link', { name: 'show' }).first().click()
    await page.getByRole('button', { name: 'Call tool' }).click()
    const region = page.getByRole('region', { name: 'View' })
    await region.getByText('The view wants to open a page').waitFor()
    // The link that was shown first stays: another one cannot slip under the mouse.
    const link = region.getByRole('link', { name: 'Open the page' })
    expect(await link.getAttribute('href')).toBe('https://good.example/')
    await region.getByText('Messages of the view').click()
    const note = region.getByRole('listitem').filter({ hasText: '"results"' })
    await note.waitFor()
    const view = page.frames().find((frame) => frame.url() === 'about:srcdoc')!
    const results = (await view.evaluate('results')) as { [name: string]: string }
    for (const name of Object.keys(waysOut)) expect.soft(results[name], name).toBe('failed')
    for (const [name, answer] of Object.entries(results)) {
      if (Object.hasOwn(waysOut, name)) continue
      expect.soft(JSON.parse(answer), name).toMatchObject({ code: expect.any(Number), message: expect.any(String) })
    }
    expect(ran).toEqual(['show'])
    expect(evil.requests).toEqual([])
    expect(downloads).toEqual([])
    expect(page.context().pages()).toHaveLength(1)
    expect(page.url().startsWith(new URL(inspector.url).origin)).toBe(true)
    expect(visit.complaints.filter((text) => text.includes('a dialog'))).toEqual([])

    await region.getByRole('button', { name: 'Refuse' }).click()
    await region.getByRole('listitem').filter({ hasText: '"first link"' }).waitFor()
    // At last it leaves by itself, and gets nowhere.
    await expect.poll(() => page.frames().some((frame) => frame.url().startsWith('chrome-error:'))).toBe(true)
    expect(evil.requests).toEqual([])
  })

  test('no other page can show the sandbox or the workbench, or speak to them', async () => {
    await using evil = await attacker()
    await using visit = await Visit.begin({})
    const { origin } = new URL(visit.inspector.url)
    const sandbox = await visit.page.evaluate(async () => {
      const key = localStorage.getItem('tenon-key') ?? Object.values(localStorage)[0] ?? ''
      const headers = { 'content-type': 'application/json', 'tenon-key': key }
      const reply = await fetch('/api/app.sandbox', { method: 'POST', headers, body: '{}' })
      return ((await reply.json()) as { result: { url: string } }).result.url
    })
    evil.page = `<!doctype html><iframe src="${sandbox}"></iframe><iframe src="${origin}/"></iframe>
      <script>
        const heard = []
        addEventListener('message', ({ data }) => heard.push(data))
        const ask = { jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params: { html: '<script>parent.parent.postMessage("in", "*")</' + 'script>' } }
        addEventListener('load', () => {
          for (const frame of document.querySelectorAll('iframe')) frame.contentWindow.postMessage(ask, '*')
        })
      </script>`
    // A name of this machine is the same site, and still another origin.
    for (const base of [evil.origin, evil.origin.replace('127.0.0.1', 'localhost')]) {
      const page = await openPage(`${base}/page`)
      await page.waitForLoadState('load')
      await expect
        .poll(() =>
          page
            .frames()
            .slice(1)
            .map((frame) => frame.url()),
        )
        .toEqual(Array(2).fill('chrome-error://chromewebdata/'))
      expect(await page.evaluate('heard')).toEqual([])
      await page.close()
    }
  })
})
