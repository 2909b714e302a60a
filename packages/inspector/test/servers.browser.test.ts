import { expect, test } from 'vitest'
import { inBrowser, Visit } from './browser.suite.ts'
import { everything } from './workbench-in-test.suite.ts'

const { command, args } = everything as { command: string; args: string[] }

inBrowser('servers in the browser', () => {
  test('a person adds a server by its command, reads what would start, and starts it', async () => {
    await using visit = await Visit.begin({})
    const { page } = visit
    await page.getByRole('heading', { name: 'Add a server' }).waitFor()
    await page.getByRole('textbox', { name: 'Command' }).fill(`${command} ${args[0]}`)
    await page.getByLabel('Environment variables').fill('COLOUR=teal')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Start this program?' })
    await dialog.getByText(args[0]!).waitFor()
    await dialog.getByText('COLOUR=teal').waitFor()
    expect(
      await dialog.getByRole('button', { name: 'Do not start' }).evaluate((node) => node === document.activeElement),
    ).toBe(true)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('status').getByText('not connected').waitFor()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await dialog.getByRole('button', { name: 'Start the program' }).click()
    await page.getByRole('status').getByText('connected', { exact: true }).waitFor()
    await page.getByText('everything 0.1.0').waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('a server that cannot be reached says why, step by step', async () => {
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'nobody', url: 'http://127.0.0.1:9/mcp' }] })
    const { page } = visit
    await page.getByRole('link', { name: /nobody/ }).click()
    await page.getByRole('alert').getByText('ECONNREFUSED').waitFor()
    await page.getByRole('tab', { name: 'Diagnosis' }).click()
    await page.locator('[data-step="tcp"].failed').getByText('Is the server running').waitFor()
    expect(await page.locator('[data-step="url"]').getAttribute('class')).toContain('ok')
    expect(await page.locator('[data-step="version"]').getAttribute('class')).toContain('skipped')
  })

  test('what a process writes to standard error is shown, with its escapes made harmless', async () => {
    const script = `console.error('\\u001b[31mbad\\u001b[0m \\u001b]0;title\\u0007 <b>news</b>'); process.exit(1)`
    const spec = { kind: 'command' as const, name: 'loud', command: process.execPath, args: ['-e', script] }
    await using visit = await Visit.begin({ servers: [spec] })
    const { page } = visit
    await page.getByRole('link', { name: /loud/ }).click()
    await page.getByRole('tab', { name: 'Output' }).click()
    await page.getByRole('log').getByText('bad ␛]0;title␇ <b>news</b>').first().waitFor()
  })

  test('secrets are not shown before somebody asks, and survive a change', async () => {
    const spec = { ...everything, env: { API_KEY: 'a-secret-value' } }
    await using visit = await Visit.begin({ servers: [spec] })
    const { page } = visit
    await page
      .getByRole('link', { name: /everything/ })
      .first()
      .click()
    await page.getByRole('tab', { name: 'Settings' }).click()
    const env = page.getByLabel('Environment variables')
    expect(await env.inputValue()).toBe('API_KEY=••••••••')
    await page.getByLabel('Name', { exact: true }).fill('renamed')
    await page.getByRole('button', { name: 'Save and reconnect' }).click()
    // The agreement is about the program and not the name, so it starts again.
    await page.getByRole('link', { name: /renamed/ }).waitFor()
    await page.getByRole('button', { name: 'Show secrets' }).click()
    await expect.poll(() => env.inputValue()).toBe('API_KEY=a-secret-value')
  })

  test('settings are pasted from another application', async () => {
    await using visit = await Visit.begin({})
    const { page } = visit
    await page.getByRole('tab', { name: 'Paste' }).click()
    await page.getByRole('textbox').fill(JSON.stringify({ mcpServers: { mine: { command, args } } }))
    await page.getByRole('button', { name: 'Find servers' }).click()
    await page.getByRole('region', { name: 'Pasted text' }).getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start the program' }).click()
    await page.getByRole('status').getByText('connected', { exact: true }).waitFor()
  })

  test('the page says when the workbench has ended', async () => {
    await using visit = await Visit.begin({})
    await visit.inspector.close()
    await visit.page.getByText('The workbench does not answer').waitFor()
  })

  test('a browser without the link sees nothing', async () => {
    await using visit = await Visit.begin({ servers: [everything] })
    await visit.page.context().clearCookies()
    await visit.page.reload()
    await visit.page.getByRole('heading', { name: 'The workbench is locked' }).waitFor()
    expect(await visit.page.content()).not.toContain('everything')
  })
})
