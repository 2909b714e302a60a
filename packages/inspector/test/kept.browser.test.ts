import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveHttp } from '@tenon/sdk/node'
import { createServer } from '@tenon/sdk/server'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { barriers } from './axe.suite.ts'
import { inBrowser, Visit } from './browser.suite.ts'
import { everything } from './workbench-in-test.suite.ts'

const { command, args } = everything as { command: string; args: string[] }

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-kept-'))
})
afterEach(() => rm(folder, { recursive: true }))

const connected = (page: Page): Promise<void> =>
  page.getByRole('status').getByText('connected', { exact: true }).waitFor()

/** The servers as the rail lists them. */
const railOf = (page: Page): Promise<string[]> =>
  page.getByRole('region', { name: 'Servers' }).locator('.names > :first-child').allInnerTexts()

const rowOf = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'All servers' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name, exact: true }) })

inBrowser('servers that are kept', () => {
  test('a person adds servers, ends the workbench, and finds them again', async () => {
    await using http = await serveHttp(createServer({ name: 'tables', version: '1.0.0' }), { port: 0 })
    {
      await using visit = await Visit.begin({ folder })
      const { page } = visit
      await page.getByRole('textbox', { name: 'Command' }).fill(`${command} ${args[0]}`)
      await page.getByLabel('Name', { exact: true }).fill('mine')
      await page.getByLabel('Environment variables').fill('API_KEY=a-secret-value')
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Start this program?' })
      await dialog.getByText('You will not be asked again about exactly this program.').waitFor()
      await dialog.getByRole('button', { name: 'Start the program' }).click()
      await connected(page)
      await page.getByText('kept', { exact: true }).waitFor()

      await page.getByRole('link', { name: 'Add a server' }).first().click()
      await page.getByRole('tab', { name: 'URL' }).click()
      await page.getByRole('textbox', { name: 'URL' }).fill(http.url)
      await page.getByLabel('Name', { exact: true }).fill('tables')
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      await connected(page)
      await page.getByRole('tab', { name: 'Settings' }).click()
      const nextTime = page.getByRole('region', { name: 'The next time' })
      expect(await nextTime.getByLabel('Keep this server').isChecked()).toBe(true)
      await nextTime.getByLabel('Connect it when the workbench starts').click()
      await expect.poll(() => nextTime.getByLabel('Connect it when the workbench starts').isChecked()).toBe(true)
      expect(await barriers(page, 'next time')).toEqual([])
      expect(visit.complaints).toEqual([])
    }
    expect(await readFile(join(folder, 'servers.json'), 'utf8')).not.toContain('a-secret-value')

    await using visit = await Visit.begin({ folder })
    const { page } = visit
    await page.getByRole('link', { name: /tables.*connected/ }).waitFor()
    expect(await railOf(page)).toEqual(['mine', 'tables'])
    await page.getByRole('link', { name: /^mine/ }).click()
    await page.getByRole('status').getByText('not connected').waitFor()
    // An agreement is not asked for again.
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await connected(page)
    expect(visit.complaints).toEqual([])
  })

  test('the list is put in order, renamed, duplicated and exported, and a removal is undone', async () => {
    const servers = ['alpha', 'beta', 'gamma'].map((name) => ({ ...everything, name }))
    {
      await using visit = await Visit.begin({ folder, servers, connect: false })
      const { page } = visit
      await page.getByRole('link', { name: 'Servers', exact: true }).click()
      for (const name of ['alpha', 'beta', 'gamma']) {
        await rowOf(page, name).getByText('not kept').waitFor()
        await rowOf(page, name).getByRole('button', { name: 'Keep this server' }).click()
        await rowOf(page, name).getByText('kept', { exact: true }).waitFor()
      }
      expect(await barriers(page, 'servers')).toEqual([])

      // By keys alone; the focus stays where it was.
      const down = page.getByRole('button', { name: 'Move alpha down' })
      await down.focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => railOf(page)).toEqual(['beta', 'alpha', 'gamma'])
      await expect.poll(() => down.evaluate((node) => node === document.activeElement)).toBe(true)
      await page.keyboard.press('Enter')
      await expect.poll(() => railOf(page)).toEqual(['beta', 'gamma', 'alpha'])
      await page.keyboard.press('Enter')
      const link = page.getByRole('link', { name: /^alpha.*not connected/ })
      await link.focus()
      await page.keyboard.press('Alt+ArrowUp')
      await expect.poll(() => railOf(page)).toEqual(['beta', 'alpha', 'gamma'])
      await expect.poll(() => link.evaluate((node) => node === document.activeElement)).toBe(true)
      await page.getByRole('button', { name: 'Move gamma up' }).click()
      await expect.poll(() => railOf(page)).toEqual(['beta', 'gamma', 'alpha'])

      await page.getByRole('button', { name: 'Rename gamma' }).click()
      await page.keyboard.type('delta')
      expect(await barriers(page, 'rename')).toEqual([])
      await page.keyboard.press('Enter')
      await expect.poll(() => railOf(page)).toEqual(['beta', 'delta', 'alpha'])

      await page.getByRole('button', { name: 'Remove delta' }).click()
      await expect.poll(() => railOf(page)).toEqual(['beta', 'alpha'])
      await page.getByText('delta was removed').waitFor()
      expect(await barriers(page, 'undo')).toEqual([])
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect.poll(() => railOf(page)).toEqual(['beta', 'delta', 'alpha'])
      // Bringing a server back leads to its page.
      await page.getByRole('heading', { name: 'delta', level: 1 }).waitFor()

      // The same server in another revision, in two clicks.
      await page.getByRole('link', { name: 'Servers', exact: true }).click()
      await rowOf(page, 'beta').getByText('Duplicate').click()
      expect(await barriers(page, 'duplicate')).toEqual([])
      await rowOf(page, 'beta').getByRole('button', { name: '2025-06-18' }).click()
      await connected(page)
      await expect.poll(() => railOf(page)).toEqual(['beta', 'beta (2025-06-18)', 'delta', 'alpha'])
      await page.getByRole('region', { name: 'Connection' }).getByText('2025-06-18').waitFor()

      await page.getByRole('link', { name: 'Servers', exact: true }).click()
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export as .mcp.json' }).click()
      const file = await (await downloading).path()
      expect(Object.keys(JSON.parse(await readFile(file, 'utf8')).mcpServers)).toEqual([
        'beta',
        'beta (2025-06-18)',
        'delta',
        'alpha',
      ])
      await page.getByText('the revision 2025-06-18 cannot be said in this file').waitFor()
      expect(await barriers(page, 'exported')).toEqual([])
      expect(visit.complaints).toEqual([])
    }
    await using visit = await Visit.begin({ folder })
    await visit.page.getByRole('link', { name: /delta/ }).waitFor()
    expect(await railOf(visit.page)).toEqual(['beta', 'beta (2025-06-18)', 'delta', 'alpha'])
  })

  test('secrets: where they are, that they stay hidden, and that they can all be forgotten', async () => {
    const spec = { ...everything, name: 'mine', env: { API_KEY: 'a-secret-value' } }
    {
      await using visit = await Visit.begin({ folder })
      const { page } = visit
      await page.getByRole('textbox', { name: 'Command' }).fill(`${command} ${args[0]}`)
      await page.getByLabel('Name', { exact: true }).fill(spec.name)
      await page.getByLabel('Environment variables').fill('API_KEY=a-secret-value')
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Do not start' }).click()
      await page.getByText('kept', { exact: true }).waitFor()
    }
    await using visit = await Visit.begin({ folder })
    const { page } = visit
    const seen: string[] = []
    page.on('response', async (response) => {
      if (response.url().includes('/api/') && !response.url().endsWith('/events')) seen.push(await response.text())
    })
    await page.getByRole('link', { name: /^mine/ }).click()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Start this program?' })
    await dialog.getByText('API_KEY=••••••••').waitFor()
    expect(seen.join()).not.toContain('a-secret-value')
    expect(await barriers(page, 'confirmation of a kept server')).toEqual([])
    await dialog.getByRole('button', { name: 'Show values' }).click()
    await dialog.getByText('API_KEY=a-secret-value').waitFor()
    await dialog.getByRole('button', { name: 'Start the program' }).click()
    await connected(page)

    await page.getByRole('link', { name: 'Servers', exact: true }).click()
    const secrets = page.getByRole('region', { name: 'Secrets' })
    await secrets.getByText(join(folder, 'tokens.json')).waitFor()
    await secrets.getByText('only you can read').waitFor()
    await secrets.getByRole('button', { name: 'Forget all secrets' }).click()
    const question = page.getByRole('dialog', { name: 'Forget all secrets?' })
    expect(await barriers(page, 'forget secrets')).toEqual([])
    await question.getByRole('button', { name: 'Forget them' }).click()
    await question.waitFor({ state: 'hidden' })
    await rowOf(page, 'mine').getByText('secrets are missing').waitFor()
    expect(await readFile(join(folder, 'tokens.json'), 'utf8')).not.toContain('a-secret-value')

    await page.getByRole('link', { name: /^mine.*not connected/ }).click()
    await page.getByText('Some secrets are not known any more').waitFor()
    expect(await barriers(page, 'missing secrets')).toEqual([])
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('alert').getByText('API_KEY').waitFor()
    await page.getByRole('tab', { name: 'Settings' }).click()
    const env = page.getByLabel('Environment variables')
    expect(await env.inputValue()).toBe('API_KEY=')
    await env.fill('API_KEY=another')
    await page.getByRole('button', { name: 'Save and reconnect' }).click()
    await dialog.getByText('API_KEY=another').waitFor()
    await dialog.getByRole('button', { name: 'Start the program' }).click()
    await connected(page)
  })

  test('a list that is broken is told, and put aside when the person says so', async () => {
    await writeFile(join(folder, 'servers.json'), '{ "version": 1, "servers": [')
    await using http = await serveHttp(createServer({ name: 'tables', version: '1.0.0' }), { port: 0 })
    await using visit = await Visit.begin({ folder })
    const { page } = visit
    await page.getByRole('alert').getByText('it is no JSON').waitFor()
    expect(await barriers(page, 'add with a broken list')).toEqual([])
    await page.getByRole('link', { name: 'Servers', exact: true }).click()
    await page.getByRole('heading', { name: 'Servers', level: 1 }).waitFor()
    expect(await barriers(page, 'broken list')).toEqual([])
    await page.getByRole('button', { name: 'Put it aside and begin a new list' }).click()
    await page.getByRole('alert').waitFor({ state: 'hidden' })
    await page.getByText('No servers').waitFor()
    await page.getByRole('link', { name: 'Add a server' }).first().click()
    await page.getByRole('tab', { name: 'URL' }).click()
    await page.getByRole('textbox', { name: 'URL' }).fill(http.url)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('kept', { exact: true }).waitFor()
    expect(JSON.parse(await readFile(join(folder, 'servers.json'), 'utf8')).servers).toHaveLength(1)
  })
})
