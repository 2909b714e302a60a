import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { expect, test } from 'vitest'
import { barriers } from './axe.suite.ts'
import { inBrowser, Visit } from './browser.suite.ts'

const lines = [
  { tenonSession: 1, at: 1_000 },
  { kind: 'stderr', at: 1_001, text: 'Listening\nto \u001b[31mnobody\n' },
  {
    kind: 'message',
    at: 1_002,
    from: 'client',
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } },
  },
  { kind: 'note', at: 1_010, text: 'Here it stops' },
  { kind: 'unanswered', at: 1_512, from: 'client', id: 1, reason: 'enough', cancelled: true },
]

async function openSession(visit: Visit): Promise<void> {
  const { page } = visit
  await visit.goTo('sessions')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Open a file' }).click()
  const buffer = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await (await chooser).setFiles({ name: 'x.jsonl', mimeType: 'application/json', buffer })
  await page.getByRole('listbox', { name: 'Messages, 4 in all' }).waitFor()
}

inBrowser('the timeline of sessions', () => {
  test('standard error and notes of a session file are shown, and its requests in lanes', async () => {
    await using visit = await Visit.begin({})
    const { page } = visit
    await openSession(visit)
    const row = (text: string) => page.getByRole('option').filter({ hasText: text })
    // Escape sequences are made visible.
    await row('stderr').filter({ hasText: 'to ␛[31mnobody' }).waitFor()
    await row('cancelled').filter({ hasText: '510 ms' }).waitFor()
    const filter = page.getByLabel('Filter messages')
    await filter.fill('kind:note')
    await page.getByRole('listbox', { name: 'Messages, 1 in all' }).waitFor()
    await row('Here it stops').click()
    await page.getByRole('region', { name: 'Message' }).locator('.json-tree').getByText('"Here it stops"').waitFor()
    expect(await barriers(page, 'session-note')).toEqual([])
    await page.getByRole('button', { name: 'Close message' }).click()
    await filter.fill('')
    await page.getByRole('button', { name: 'Lanes' }).click()
    const place = page.getByRole('application', { name: 'Requests in lanes, 1 in all' })
    await place.focus()
    await page.keyboard.press('ArrowRight')
    await page.getByText('510.000 ms · cancelled · tools/call wait').waitFor()
    await page.getByRole('heading', { name: 'tools/call' }).waitFor()
    expect(await barriers(page, 'session-lanes')).toEqual([])
    expect(visit.complaints).toEqual([])
  })

  test('a message that is still being read has no barriers', async () => {
    await using visit = await Visit.begin({})
    const { page } = visit
    await openSession(visit)
    // Never answered.
    await page.route('**/api/timeline.get', () => {})
    await page.getByRole('option').filter({ hasText: 'Here it stops' }).click()
    await page.getByRole('region', { name: 'Message' }).waitFor()
    expect(await barriers(page, 'session-message')).toEqual([])
    expect(visit.complaints).toEqual([])
  })

  test('a call over HTTP that is cancelled is seen as that, also in a session of the timeline, which has its HTTP requests', async () => {
    const wait = tool({
      name: 'wait',
      run: (_, ctx) => new Promise<string>((resolve) => ctx.signal.addEventListener('abort', () => resolve('ended'))),
    })
    await using http = await serveHttp(createServer({ name: 'waits', version: '1.0.0', tools: [wait] }), { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'waits', url: http.url }] })
    const { page } = visit
    await page.getByRole('navigation', { name: 'Tools' }).getByRole('link').click()
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Call tool' }).waitFor()
    await visit.goTo('timeline')
    const cancelled = page.getByRole('option').filter({ hasText: 'tools/call wait' }).filter({ hasText: 'cancelled' })
    await cancelled.waitFor()
    await page.locator('summary', { hasText: 'Export' }).click()
    await page.getByRole('button', { name: 'Session from timeline' }).click()
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.getByRole('tab', { name: 'Messages' }).waitFor()
    await cancelled.waitFor()
    await visit.filter('kind:http POST')
    await page.getByRole('option').filter({ hasText: 'POST' }).first().click()
    const tree = page.getByRole('region', { name: 'Message' }).locator('.json-tree')
    await tree.getByText('Mcp-Method').waitFor()
    expect(visit.complaints).toEqual([])
  })
})
