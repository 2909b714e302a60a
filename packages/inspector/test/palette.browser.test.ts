import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { expect, test } from 'vitest'
import { inBrowser, Visit } from './browser.suite.ts'

const input = { type: 'object', properties: { a: { type: 'string' } } } as const

inBrowser('the palette', () => {
  test('finds the tools of a server that connects while it is open', async () => {
    const add = tool({ name: 'add', input, run: () => 'done' })
    await using served = await serveHttp(createServer({ name: 'late', version: '1', tools: [add] }), { port: 0 })
    await using visit = await Visit.begin({ servers: [] })
    const { page } = visit
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to' }).fill('Tool of late add')
    await page.getByText('Nothing fits.').waitFor()
    const status = await page.evaluate(
      async (spec) => {
        const headers = { 'Content-Type': 'application/json', 'Tenon-Key': localStorage.getItem('tenon-key')! }
        const post = async (name: string, params: object): Promise<{ result?: { server: string } }> =>
          (await fetch(`/api/${name}`, { method: 'POST', headers, body: JSON.stringify(params) })).json()
        const added = await post('server.add', { spec })
        return post('server.connect', { server: added.result!.server })
      },
      { kind: 'url', name: 'late', url: served.url },
    )
    expect(status).toEqual({ result: {} })
    await page.getByRole('option', { name: /add/ }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: /^a\b/ }).waitFor()
  })
})
