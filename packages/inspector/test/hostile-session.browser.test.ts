import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inBrowser, Visit } from './browser.suite.ts'
import { nastySession, tooMuch } from './hostile-session.suite.ts'

async function openFile(page: Page, name: string, text: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Open a file' }).click()
  await (await chooser).setFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
}

inBrowser('a session file made by somebody hostile', () => {
  test('nothing in it runs, every part of it can be looked at, and the page goes on', async () => {
    await using visit = await Visit.begin({})
    const { page } = visit
    await visit.goTo('sessions')
    await openFile(page, '<img src=x onerror=alert(1)>.jsonl', nastySession())
    const rows = page.getByRole('option')
    const count = Number(
      /\d+/.exec((await page.getByRole('listbox', { name: /Messages, [1-9]/ }).getAttribute('aria-label'))!),
    )
    expect(count).toBeGreaterThan(20)
    // Each entry, one after the other.
    await rows.last().click()
    const entry = page.getByRole('region', { name: 'Message' })
    await entry.waitFor()
    await page.getByRole('listbox', { name: /Messages/ }).focus()
    for (let at = count; at > 1; at--) {
      await page.keyboard.press('ArrowUp')
      await page.locator(`[role=option][aria-selected=true][aria-posinset="${at - 1}"]`).waitFor()
      await entry.waitFor()
    }
    await visit.filter('owned kind:request,http')
    await page.getByRole('button', { name: 'Lanes' }).click()
    await page.getByRole('application', { name: /Requests in lanes, [1-9]/ }).waitFor()
    await openFile(page, 'again.jsonl', nastySession())
    await page.getByRole('navigation', { name: 'Sessions' }).getByText('again.jsonl').waitFor()
    await page.getByRole('tab', { name: 'Compare' }).click()
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await page.getByText('the same', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Use as a server' }).click()
    await page.getByRole('heading', { level: 1 }).filter({ hasText: 'owned' }).waitFor()
    // Nothing has run, been loaded, or become an element; hidden characters are visible.
    expect(await page.title()).not.toBe('owned')
    expect(
      await page.evaluate(() => document.querySelectorAll('main script, main img, main a[href^="javascript:"]').length),
    ).toBe(0)
    const text = (await page.locator('body').textContent())!
    for (const hidden of ['\u0000', '\u001b', '\u202e']) expect(text).not.toContain(hidden)
    expect(visit.outside).toEqual([])
    expect(visit.complaints).toEqual([])
    await visit.goTo('sessions')
    await page.getByRole('navigation', { name: 'Sessions' }).getByText('again.jsonl').waitFor()
  })

  test('files that are too large are refused in words, and what is left out is said', async () => {
    await using visit = await Visit.begin({})
    const { page } = visit
    await visit.goTo('sessions')
    await openFile(page, 'huge.jsonl', 'x'.repeat(13 * 1024 * 1024))
    await page.getByText('huge.jsonl is larger than 12 MiB').waitFor()
    await openFile(page, 'quotes.jsonl', '"'.repeat(11 * 1024 * 1024))
    await page.getByText('A command takes at most 16777216 bytes').waitFor()
    await openFile(page, 'deep.jsonl', '['.repeat(1024 * 1024))
    await page.getByText('line 1: nests deeper than 256 levels').waitFor()
    const { text, warning } = tooMuch['a batch of 101,000']!
    await openFile(page, 'batch.jsonl', text())
    await page.getByText(warning!).waitFor()
    await page.getByRole('listbox', { name: 'Messages, 100000 in all' }).waitFor()
    expect(await page.getByRole('option').count()).toBeLessThan(150)
    await openFile(page, 'names.jsonl', tooMuch['names of 2 MB']!.text())
    await page.getByRole('navigation', { name: 'Sessions' }).getByText('names.jsonl').waitFor()
    await page.getByRole('option').first().click()
    await page.getByRole('region', { name: 'Message' }).waitFor()
    // A long text is shown by its beginning.
    expect((await page.evaluate(() => document.body.textContent)).length).toBeLessThan(100_000)
  })
})
