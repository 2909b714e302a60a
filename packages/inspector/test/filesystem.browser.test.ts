import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locator } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inBrowser, Visit } from './browser.suite.ts'

const entry = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'))

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'filesystem-')))
  for (const name of ['given', 'rooted']) await mkdir(join(folder, name))
  await writeFile(join(folder, 'given', 'note.txt'), 'Miso, leek and rice')
})
afterEach(() => rm(folder, { recursive: true }))

/** Finds a tool, gives it texts, and calls it. */
async function call(visit: Visit, tool: string, texts: { [name: string]: string }): Promise<Locator> {
  const { page } = visit
  await visit.find(tool)
  await page.getByText(tool, { exact: true }).first().waitFor()
  for (const [name, text] of Object.entries(texts)) {
    await page.getByRole('textbox', { name: new RegExp(`^${name}\\b`) }).fill(text)
  }
  const result = await visit.press('Call tool')
  await result.getByRole('status').filter({ hasNotText: 'running' }).waitFor()
  return result
}

inBrowser('the filesystem server of npm', () => {
  test('a person lists, reads and writes, is refused what is outside, and gives it another root', async () => {
    await using visit = await Visit.begin({})
    const { page } = visit
    const given = join(folder, 'given')
    await page.getByRole('textbox', { name: 'Command' }).fill(`${process.execPath} ${entry} ${given}`)
    await page.getByLabel('Name', { exact: true }).fill('files')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start the program' }).click()
    await page.getByRole('status').getByText('connected', { exact: true }).waitFor()
    await page.getByText('secure-filesystem-server').waitFor()

    const listed = await call(visit, 'list_directory', { path: given })
    await listed.getByText('[FILE] note.txt').first().waitFor()
    const read = await call(visit, 'read_text_file', { path: join(given, 'note.txt') })
    await read.getByText('Miso, leek and rice').first().waitFor()
    await call(visit, 'write_file', { path: join(given, 'new.txt'), content: 'Written by hand' })
    expect(await readFile(join(given, 'new.txt'), 'utf8')).toBe('Written by hand')
    const outside = await call(visit, 'read_text_file', { path: '/etc/hostname' })
    await outside.getByText('Access denied').first().waitFor()
    await outside.getByText('The tool ran, and failed').waitFor()

    // This server takes the roots of the client as its allowed folders, instead of its arguments.
    const rooted = join(folder, 'rooted')
    await visit.find('files Server')
    // Disconnected first, so that the state below is that of the next connection.
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('button', { name: 'Connect', exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByText('More settings').click()
    await page.getByRole('textbox', { name: 'Roots' }).fill(rooted)
    await page.getByRole('button', { name: 'Save and reconnect' }).click()
    await page.getByRole('status').getByText('connected', { exact: true }).waitFor()
    await expect.poll(async () => (await call(visit, 'list_allowed_directories', {})).textContent()).toContain(rooted)
    await (await call(visit, 'read_text_file', { path: join(given, 'note.txt') }))
      .getByText('Access denied')
      .first()
      .waitFor()
    await call(visit, 'write_file', { path: join(rooted, 'here.txt'), content: 'Inside' })
    expect(await readFile(join(rooted, 'here.txt'), 'utf8')).toBe('Inside')
    await visit.find('Timeline')
    await visit.filter('method:roots/list from:server')
    await page.getByRole('option').first().click()
    expect(visit.complaints).toEqual([])
  })
})
