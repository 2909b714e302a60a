import { serveHttp } from '@tenon/sdk/node'
import { createServer, type Server, tool } from '@tenon/sdk/server'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { barriers } from './axe.suite.ts'
import { inBrowser, textIn, Visit } from './browser.suite.ts'
import { rawServer } from './raw-server.suite.ts'
import { recordingProxy } from './recording-proxy.suite.ts'

const limited = {
  type: 'object',
  properties: {
    count: { type: 'integer', minimum: 1, maximum: 20_000_000 },
    mail: { type: 'string', format: 'email' },
    code: { type: 'string', pattern: '^[a-z]{3}$', maxLength: 3 },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 },
    sure: { type: 'boolean' },
    by: { oneOf: [{ const: 'train', title: 'By train' }, { const: 'car' }], default: 'train' },
  },
  required: ['by'],
}

const question = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    day: { type: 'string', format: 'date' },
    mail: { type: 'string', format: 'email' },
  },
  required: ['name', 'day', 'mail'],
} as const

const server = (): Server =>
  createServer({
    name: 'trusted',
    version: '1.0.0',
    tools: [
      tool({ name: 'limited', input: limited, run: (input) => JSON.stringify(input) }),
      tool({ name: 'inquire', run: async (_, ctx) => JSON.stringify(await ctx.elicit('Who are you?', question)) }),
    ],
  })

const describedBy = async (field: Locator): Promise<string> => {
  const ids = ((await field.getAttribute('aria-describedby')) ?? '').split(' ').filter(Boolean)
  const texts = await Promise.all(ids.map((id) => field.page().locator(`[id="${id}"]`).textContent()))
  return texts.join(' ')
}

const focused = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => document.activeElement?.closest('.field')?.querySelector('.field-label')?.textContent)

inBrowser('what is sent and what came can be trusted', () => {
  test('a wrong format in an answer is marked, and neither the question nor the typing is lost', async () => {
    await using http = await serveHttp(server(), { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'trusted', url: http.url }] })
    const { page } = visit
    await page.getByRole('link', { name: 'inquire' }).click()
    const result = await visit.press('Call tool')
    const asked = page.getByRole('region', { name: 'trusted asks you' })
    const send = asked.getByRole('button', { name: 'Send answer' })
    await asked.getByLabel(/^mail/).fill('zzz')
    await send.click()
    // Three fields are wrong: the first of them gets the focus.
    await expect.poll(() => focused(page)).toMatch(/^name/)
    await asked.getByLabel(/^name/).fill('Ada')
    await asked.getByLabel(/^day/).fill('2026-02-30')
    await send.click()
    await expect.poll(() => focused(page)).toMatch(/^day/)
    expect(await describedBy(asked.getByLabel(/^day/))).toContain('expected a value of format date')
    await asked.getByLabel(/^day/).fill('2026-02-28')
    await send.click()
    await expect.poll(() => focused(page)).toMatch(/^mail/)
    expect(await describedBy(asked.getByLabel(/^mail/))).toContain('expected a value of format email')
    expect(await asked.getByLabel(/^name/).inputValue()).toBe('Ada')
    await asked.getByLabel(/^mail/).fill('ada@example.com')
    await send.click()
    await result.getByText('done').waitFor()
    expect(await result.textContent()).toContain('ada@example.com')
    expect(visit.complaints).toEqual([])
  })

  test('limits stand beside their fields, and a value outside of them is marked before it is sent', async () => {
    await using http = await serveHttp(server(), { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'trusted', url: http.url }] })
    const { page } = visit
    await page.getByRole('link', { name: 'limited' }).click()
    const form = page.getByRole('group', { name: 'Arguments' })
    const count = form.getByLabel('count', { exact: true })
    const mail = form.getByLabel('mail', { exact: true })
    expect(await describedBy(count)).toBe('a whole number, 1 to 20,000,000')
    expect(await describedBy(mail)).toBe('an e-mail address')
    expect(await describedBy(form.getByLabel('code', { exact: true }))).toBe(
      'at most 3 characters, matching ^[a-z]{3}$',
    )
    await form.getByRole('group', { name: 'tags' }).getByText('1 to 2 items').waitFor()
    await count.fill('20000001')
    await mail.fill('zzz')
    // The field that is being typed in is left alone; the one before it is judged.
    await expect.poll(() => count.getAttribute('aria-invalid')).toBe('true')
    expect(await mail.getAttribute('aria-invalid')).toBeNull()
    await mail.blur()
    await expect.poll(() => mail.getAttribute('aria-invalid')).toBe('true')
    expect(await describedBy(mail)).toContain('expected a value of format email')
    await mail.fill('ada@example.com')
    await expect.poll(() => mail.getAttribute('aria-invalid')).toBeNull()
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByText('1 value does not fit. It was sent as it is.').waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('a select lists each value once, and every value can be taken away', async () => {
    await using http = await serveHttp(server(), { port: 0 })
    await using proxy = await recordingProxy(http.url)
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'trusted', url: proxy.url }] })
    const { page } = visit
    await page.getByRole('link', { name: 'limited' }).click()
    const form = page.getByRole('group', { name: 'Arguments' })
    const optionsOf = (label: RegExp): Promise<string[]> =>
      form.getByLabel(label).first().locator('option').allTextContents()
    expect(await optionsOf(/^by/)).toEqual(['not set', 'By train', 'car'])
    await form.getByLabel(/^sure/).selectOption('true')
    expect(await optionsOf(/^sure/)).toEqual(['not set', 'true', 'false'])
    await form.getByLabel(/^sure/).first().selectOption('not set')
    await form.getByLabel(/^by/).first().selectOption('not set')
    const result = await visit.press('Call tool')
    await result
      .getByRole('status')
      .getByText(/done|tool error|protocol/)
      .waitFor()
    const sent = proxy.received.find(({ method }) => method === 'tools/call')?.params as { arguments?: unknown }
    expect(sent.arguments).toEqual({})
  })

  test('a result has the request that was sent and the answer that came, byte for byte, and leads to its messages', async () => {
    const answer =
      '{"jsonrpc":"2.0", "id":ID,  "result":{"content":[{"type":"text","text":"hi"}],"unknown":{"a":1.50},"structuredContent":{"n":12345678901234567890}}}'
    await using raw = await rawServer({ odd: answer })
    await using visit = await Visit.begin({ servers: [raw.spec] })
    const { page } = visit
    await page.getByRole('link', { name: 'odd' }).click()
    const result = await visit.press('Call tool')
    await result.getByText('done').waitFor()
    await result.getByText('Request and answer as text').click()
    const sent = raw.bodies.find((body) => body.includes('"tools/call"'))!
    expect(await result.getByLabel('Request as it was sent').textContent()).toBe(sent)
    const id = (JSON.parse(sent) as { id: number }).id
    await expect.poll(() => result.getByLabel('Answer as it came').textContent()).toBe(answer.replace('ID', String(id)))
    expect(await barriers(page, 'wire-texts')).toEqual([])
    // Neither a member is added, nor one lost, nor a digit.
    await result.getByText('The whole result').click()
    const whole = await result.locator('details', { hasText: 'The whole result' }).textContent()
    expect(whole).toContain('unknown')
    expect(whole).toContain('12345678901234567890')
    expect(whole).not.toContain('isError')
    await expect
      .poll(() => page.getByRole('region', { name: 'Structured content' }).textContent())
      .toContain('12345678901234567890')
    await result.getByRole('link', { name: 'Messages' }).click()
    const rows = page.getByRole('listbox', { name: /^Messages/ }).getByRole('option')
    await expect.poll(() => rows.count()).toBe(2)
    expect(await rows.first().textContent()).toContain('tools/call')
    expect(visit.complaints).toEqual([])
  })

  test('a refused answer closes its request, with the reason and the bytes that came', async () => {
    await using raw = await rawServer({
      broken: '{"jsonrpc":"2.0","id":ID,"result":{"content":[}}',
      wrong: '{"jsonrpc":"2.0","id":ID,"result":{"content":"no list"}}',
    })
    await using visit = await Visit.begin({ servers: [raw.spec] })
    const { page } = visit
    for (const [name, reason, bytes] of [
      ['broken', 'not JSON', '"result":{"content":['],
      ['wrong', 'content', 'no list'],
    ] as const) {
      await visit.goTo('tools')
      await page.getByRole('link', { name }).click()
      const result = await visit.press('Call tool')
      await result.getByRole('status').getByText('invalid').waitFor()
      await result.getByText('Request and answer as text').click()
      await expect.poll(() => result.getByLabel('Answer as it came').textContent()).toContain(bytes)
      await result.getByRole('link', { name: 'Messages' }).click()
      const request = page
        .getByRole('listbox', { name: /^Messages/ })
        .getByRole('option')
        .first()
      await request.getByText('refused').waitFor()
      await request.click()
      const pane = page.getByRole('region', { name: 'Message' })
      await pane.getByText(reason).first().waitFor()
      await pane.getByRole('button', { name: 'Its answer' }).click()
      await pane.getByText(bytes).first().waitFor()
    }
    await visit.goTo('timeline', { q: 'status:pending' })
    await page.getByText('No message fits.').waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('long integers are sent with all their digits, from a field and from JSON, and a text that is no number is not', async () => {
    await using raw = await rawServer({ count: '{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}' })
    await using visit = await Visit.begin({ servers: [raw.spec] })
    const { page } = visit
    await page.getByRole('link', { name: 'count' }).click()
    const form = page.getByRole('group', { name: 'Arguments' })
    const field = form.getByLabel('n', { exact: true })
    await field.fill('abc')
    await field.blur()
    expect(await field.inputValue()).toBe('abc')
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await field.fill('12345678901234567890')
    await field.blur()
    expect(await field.inputValue()).toBe('12345678901234567890')
    await (await visit.press('Call tool')).getByText('done').waitFor()
    await page.getByRole('button', { name: 'JSON' }).click()
    const json = form.getByLabel('Arguments as JSON')
    expect(await textIn(json)).toContain('12345678901234567890')
    await json.fill('{ "n": -98765432109876543210 }')
    await (await visit.press('Call tool')).getByText('done').waitFor()
    const sent = raw.bodies.flatMap((body) => /"n":-?\d+/.exec(body) ?? [])
    expect(sent).toEqual(['"n":12345678901234567890', '"n":-98765432109876543210'])
    expect(visit.complaints).toEqual([])
  })
})
