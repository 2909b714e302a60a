import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { barriers } from './axe.suite.ts'
import { inBrowser, Visit } from './browser.suite.ts'
import { everything } from './workbench-in-test.suite.ts'

inBrowser('sessions in the browser', () => {
  test('a person records a server, and looks at it, serves it and compares it in another workbench', async () => {
    const name = 'session.jsonl'
    let text: string
    {
      await using visit = await Visit.begin({ servers: [everything] })
      const { page } = visit
      await page
        .getByRole('region', { name: 'Servers' })
        .getByRole('link', { name: /everything/ })
        .click()
      await page.getByRole('button', { name: 'Record', exact: true }).click()
      await page.getByRole('button', { name: /Stop recording/ }).waitFor()
      await visit.find('Tool of everything add')
      await page.getByRole('textbox', { name: /^a\b/ }).fill('19')
      await page.getByRole('textbox', { name: /^b\b/ }).fill('23')
      await page.getByRole('button', { name: 'Call tool' }).click()
      await page.getByRole('region', { name: 'Structured content' }).getByText('42').waitFor()
      await page
        .getByRole('region', { name: 'Servers' })
        .getByRole('link', { name: /everything/ })
        .click()
      await page.getByRole('button', { name: /Stop recording/ }).click()
      await page.getByRole('option').filter({ hasText: 'tools/call' }).first().click()
      await page.getByRole('region', { name: 'Message' }).getByText('"add"').waitFor()
      expect(await barriers(page, 'session')).toEqual([])
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download' }).click()
      text = await readFile(await (await downloading).path(), 'utf8')
      expect(visit.complaints).toEqual([])
    }
    await using visit = await Visit.begin({})
    const { page } = visit
    await visit.goTo('sessions')
    await page.getByText('No sessions yet').waitFor()
    const changed = text.replaceAll('42', '43')
    for (const [file, content] of [
      ['before.jsonl', text],
      [name, changed],
    ] as const) {
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Open a file' }).click()
      await (await chooser).setFiles({ name: file, mimeType: 'application/json', buffer: Buffer.from(content) })
      await page.getByRole('navigation', { name: 'Sessions' }).getByText(file).waitFor()
    }
    await page.getByRole('tab', { name: 'Compare' }).click()
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    const answers = page.getByRole('region', { name: 'Answers' })
    const row = answers.getByRole('row', { name: /structuredContent\.sum/ })
    await row.getByText('42').waitFor()
    await row.getByText('43').waitFor()
    expect(await barriers(page, 'session-diff')).toEqual([])

    await page.getByRole('button', { name: 'Use as a server' }).click()
    await page.getByRole('status').getByText('connected').waitFor()
    await visit.find('Tool of recorded add')
    await page.getByRole('heading', { name: 'Add', exact: true }).waitFor()
  })
})
