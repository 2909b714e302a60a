import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { inBrowser, openPage } from './browser.suite.ts'

inBrowser('npm start', () => {
  test('prints a link to a workbench on two servers, on which every step of the README can be done, and leaves nothing behind', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tenon-start-'))
    const script = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url))
    const env = { ...process.env, XDG_CONFIG_HOME: folder, TENON_TOKENS: 'file' }
    const child = spawn(process.execPath, [script], { env })
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    })
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    await expect.poll(() => printed).toMatch(/http:\S+\?token=\S+\n/)
    const page = await openPage(/http:\S+/.exec(printed)![0])
    await page.getByRole('link', { name: /everything.*connected/ }).waitFor()
    await page.getByRole('link', { name: /filesystem.*connected/ }).waitFor()
    await page.getByRole('region', { name: 'Recent calls' }).getByRole('link', { name: 'Choose a tool' }).click()
    await page.getByRole('link', { name: 'Convert units' }).waitFor()
    await page.getByRole('link', { name: /Read Text File/i }).waitFor()

    // The first five minutes of README.md, as they are written.
    const result = page.getByRole('region', { name: 'Result', exact: true })
    await page.getByRole('link', { name: 'Convert units' }).click()
    await page.getByRole('textbox', { name: /^value/ }).fill('5')
    await page.getByRole('textbox', { name: /^from/ }).fill('km')
    await page.getByRole('textbox', { name: /^to/ }).fill('m')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('region', { name: 'Structured content' }).getByText('5000').waitFor()
    await page.getByRole('region', { name: 'Content', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Plan a trip' }).click()
    await page.getByLabel('destination').fill('Kyoto')
    await page.getByRole('button', { name: 'Call tool' }).click()
    const dock = page.getByRole('complementary', { name: 'A server asks' })
    await dock.getByLabel('Your name').fill('Ada')
    await dock.getByLabel('Your email').fill('ada@example.com')
    await dock.getByLabel('First day').fill('2026-08-01')
    await dock.getByRole('button', { name: 'Send answer' }).click()
    await result.getByText('done').waitFor()
    await page.getByRole('link', { name: 'Count down' }).click()
    await page.getByRole('textbox', { name: 'from' }).fill('60')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByText(/^\d+ of 60 · \d+ left$/).waitFor()
    await result.getByRole('button', { name: 'Cancel' }).click()
    await result.getByRole('status').getByText('cancelled').waitFor()
    await page
      .getByRole('link', { name: /^Resources/ })
      .first()
      .click()
    await page.getByRole('link', { name: 'The board' }).click()
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    await page.getByRole('button', { name: 'Watching' }).waitFor()
    await page
      .getByRole('link', { name: /^Tools/ })
      .first()
      .click()
    await page.getByRole('link', { name: 'Write on the board' }).click()
    await page.getByRole('textbox').last().fill('Tea at five')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await result.getByText('done').waitFor()
    await page
      .getByRole('link', { name: /^Resources/ })
      .first()
      .click()
    await page.getByRole('link', { name: /The board\s*changed/ }).waitFor()
    await page
      .getByRole('link', { name: /^Timeline/ })
      .first()
      .click()
    await visit.filter('method:tools/call status:cancelled')
    await page.getByRole('listbox', { name: 'Messages, 1 in all' }).waitFor()
    await page.getByRole('link', { name: 'Servers', exact: true }).click()
    await page.getByLabel('Duplicate everything', { exact: true }).click()
    await page.getByRole('button', { name: '2024-11-05' }).click()
    await page.getByRole('region', { name: 'Connection' }).getByText('2024-11-05').waitFor()

    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})
