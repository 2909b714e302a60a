import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { barriers } from './axe.suite.ts'
import { inBrowser, textIn, Visit } from './browser.suite.ts'
import { everything } from './workbench-in-test.suite.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'saved-in-browser-'))
})
afterEach(() => rm(folder, { recursive: true }))

inBrowser('saved calls in the browser', () => {
  test('a person saves a call, adds a check that fails, sees the difference, and runs it on two revisions', async () => {
    await using visit = await Visit.begin({ servers: [everything], calls: folder })
    const { page } = visit
    await page.getByRole('link', { name: 'Add', exact: false }).filter({ hasText: 'Adds two numbers' }).click()
    await page.getByRole('textbox', { name: /^a\b/ }).fill('19')
    await page.getByRole('textbox', { name: /^b\b/ }).fill('23')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByRole('region', { name: 'Structured content' }).getByText('42').waitFor()
    await page.getByRole('button', { name: 'Save this call' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save this call' })
    await dialog.getByLabel('Its title').fill('Sums')
    await dialog.getByLabel('Name of the call').fill('sums are right')
    expect(await barriers(page, 'save-dialog')).toEqual([])
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { name: 'sums are right' }).waitFor()
    await expect.poll(() => textIn(page.getByLabel('The structured content has at least'))).toContain('42')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const run = page.getByRole('region', { name: 'Run' })
    await run.getByText('1 passed, 0 failed').waitFor()

    await page.getByRole('button', { name: 'Add a check' }).click()
    const check = page.getByRole('group', { name: 'Check 1' })
    await check.getByLabel('Part of the answer').fill('structured.sum')
    await check.getByLabel('How').selectOption('is above')
    await check.getByLabel('Value').fill('100')
    for (const revision of ['2026-07-28', '2025-06-18']) await run.getByLabel(revision).check()
    await run.getByRole('button', { name: 'Run', exact: true }).click()
    await run.getByText('0 passed, 2 failed').waitFor()
    await run
      .getByText(/above 100/)
      .first()
      .waitFor()
    expect(await barriers(page, 'saved-call')).toEqual([])
    const text = await readFile(join(folder, 'sums.yaml'), 'utf8')
    expect(text).toContain('structured.sum:')
    expect(text).toContain('above: 100')

    await page.getByRole('button', { name: 'Remove check 1' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => readFile(join(folder, 'sums.yaml'), 'utf8')).not.toContain('above: 100')
    await page.getByRole('link', { name: 'Sums' }).first().click()
    await page.getByRole('button', { name: 'Run all' }).click()
    await page.getByText('1 passed, 0 failed').waitFor()
    expect(await barriers(page, 'collection')).toEqual([])
    expect(visit.complaints).toEqual([])
    expect(visit.outside).toEqual([])
  })

  test('a person opens a file, is told what is wrong with it, puts it right, and agrees to its program', async () => {
    await using visit = await Visit.begin({ calls: folder })
    const { page } = visit
    await visit.goTo('saved')
    await page.getByText('No saved calls yet').waitFor()
    const { command, args } = everything as { command: string; args: string[] }
    const text = JSON.stringify({
      tenonCalls: 1,
      title: 'Theirs',
      servers: { it: { command, args } },
      calls: [{ tol: 'add' }],
    })
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Open a file' }).click()
    await (await chooser).setFiles({ name: 'theirs.yaml', mimeType: 'text/yaml', buffer: Buffer.from(text) })
    await page.getByText('is not known here; did you mean tool?').waitFor()
    expect(await barriers(page, 'broken-file')).toEqual([])
    const editor = page.getByRole('region', { name: 'Text of the file' }).getByRole('textbox')
    await editor.fill(text.replace('{"tol":"add"}', '{"list":"tools","expect":{"count":{"atLeast":5}}}'))
    await page.getByRole('button', { name: 'Save the text' }).click()
    await page.getByRole('button', { name: 'Run all' }).click()
    await page.getByRole('dialog', { name: 'Start this program?' }).getByText(args[0]!).waitFor()
    await page.getByRole('button', { name: 'Start the program' }).click()
    await page.getByText('1 passed, 0 failed').waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    expect((await downloading).suggestedFilename()).toBe('theirs.yaml')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete the file' }).click()
    await page.getByText('No saved calls yet').waitFor()
    expect(visit.complaints).toEqual([])
  })
})
