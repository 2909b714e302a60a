import { createServer as createHttp } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { expect, test } from 'vitest'
import { inBrowser, Visit } from './browser.suite.ts'

/** A model behind an interface like OpenAI's, which repeats its request. */
async function openModel() {
  const asked: { path: string; key: string | undefined; body: unknown }[] = []
  const server = createHttp(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    asked.push({ path: request.url!, key: request.headers.authorization, body: JSON.parse(body) })
    const choices = [{ message: { role: 'assistant', content: 'drafted by the model' }, finish_reason: 'stop' }]
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ model: 'tiny-1', choices }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { asked, url, [Symbol.asyncDispose]: close }
}

inBrowser('a model answers for the person', () => {
  test('its draft is shown, changed and only then sent; the key never comes back to the page', async () => {
    await using model = await openModel()
    const ask = tool({
      name: 'ask',
      run: async (_input, ctx) => {
        const { content } = await ctx.sample({
          systemPrompt: 'Be short.',
          messages: [{ role: 'user', content: { type: 'text', text: 'Name a colour' } }],
          maxTokens: 50,
        })
        return JSON.stringify(content)
      },
    })
    await using http = await serveHttp(createServer({ name: 'asker', version: '1.0.0', tools: [ask] }), { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'asker', url: http.url }] })
    const { page } = visit
    const seen: Promise<string>[] = []
    page.on('response', (response) => {
      if (response.url().includes('/api/model.')) seen.push(response.text())
    })
    await page.locator('.list-item').click()
    await page.getByRole('button', { name: 'Call tool' }).click()
    const dock = page.getByRole('complementary', { name: 'A server asks' })
    await dock.getByText('Set up a model').click()
    await dock.getByLabel('Address of the model').fill(model.url)
    await dock.getByLabel('Name of the model').fill('tiny')
    await dock.getByLabel('Key').fill('secret-key')
    await dock.getByRole('button', { name: 'Use this model' }).click()
    await dock.getByRole('button', { name: 'Let the model answer' }).click()
    const answer = dock.getByLabel('Answer of the model')
    await expect.poll(() => answer.inputValue()).toBe('drafted by the model')
    expect(await page.getByRole('region', { name: 'Result' }).getAttribute('aria-busy')).toBe('true')
    await answer.fill('drafted by the model, and changed')
    await dock.getByRole('button', { name: 'Send answer' }).click()
    await page
      .getByText(/drafted by the model, and changed/)
      .first()
      .waitFor()
    expect(model.asked).toEqual([
      {
        path: '/v1/chat/completions',
        key: 'Bearer secret-key',
        body: {
          model: 'tiny',
          max_tokens: 50,
          messages: [
            { role: 'system', content: 'Be short.' },
            { role: 'user', content: [{ type: 'text', text: 'Name a colour' }] },
          ],
        },
      },
    ])
    expect((await Promise.all(seen)).join()).not.toContain('secret-key')
    expect(visit.outside).toEqual([])
    expect(visit.complaints).toEqual([])
  })
})
