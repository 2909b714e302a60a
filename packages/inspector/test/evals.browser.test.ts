import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadEvals, readRates } from '@tenon/host/evals'
import type { Download, Page } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inBrowser, Visit } from './browser.suite.ts'
import { everything } from './workbench-in-test.suite.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evals-in-browser-'))
})
afterEach(() => rm(folder, { recursive: true }))

const fileText = (): Promise<string> => readFile(join(folder, 'sums.yaml'), 'utf8')

async function downloaded(page: Page, button: string): Promise<{ name: string; text: string }> {
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: button, exact: true }).click()
  const download: Download = await downloading
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

inBrowser('the Evals screen', () => {
  test('an answer of the Playground becomes a case, which passes, fails a stricter check, and is compared with before', async () => {
    await using visit = await Visit.begin({ servers: [everything], evals: folder })
    const { page } = visit
    await page.getByRole('link', { name: 'Divide' }).waitFor()
    await visit.goTo('evals')
    await page.getByText('No eval cases yet').waitFor()
    await page.getByRole('link', { name: 'Go to the Playground' }).click()
    await page.getByRole('button', { name: 'Please add 19 and 23' }).click()
    await page.getByRole('button', { name: 'Allow once' }).click()
    await page.getByText(/answered · 2 steps/).waitFor()
    await page.getByRole('button', { name: 'Save as eval case' }).click()
    const dialog = page.getByRole('dialog', { name: 'Eval case' })
    await dialog.getByLabel('Its title').fill('Sums')
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { name: 'Please add 19 and 23' }).waitFor()
    expect(await page.getByLabel('Tool', { exact: true }).inputValue()).toBe('everything.add')
    const run = page.getByRole('region', { name: 'Run', exact: true })
    await run.getByLabel('Runs').fill('2')
    await run.getByRole('button', { name: 'Run', exact: true }).click()
    await run.getByText('1 passed, 0 failed').waitFor()
    await run.getByRole('cell', { name: '2 of 2' }).waitFor()

    // Half a number is not run, and not saved.
    await page.getByLabel('Steps at most').fill('2x')
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
    expect(await run.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true)
    await page.getByLabel('Steps at most').fill('1')
    await page.getByRole('button', { name: 'Add a check' }).click()
    await page.getByRole('group', { name: 'Check 1' }).getByLabel('Value').fill('42')
    await run.getByLabel('Runs').fill('')
    await run.getByRole('button', { name: 'Run', exact: true }).click()
    await run.getByText('0 passed, 1 failed').waitFor()
    await run.getByText('worse: was 2 of 2').waitFor()
    await run.getByText('expected at most 1 steps, got 2').waitFor()
    expect(await run.getByText('contains "42"').count()).toBe(0)
    await run.getByText('Transcript').click()
    await run.getByRole('region', { name: 'Tool call add' }).waitFor()
    expect(loadEvals(await fileText()).cases[0]!.expect).toMatchObject({ maxSteps: 1, text: { contains: '42' } })
    const calls = run.getByRole('list', { name: 'Tool calls' })
    await calls.getByRole('link', { name: 'everything.add' }).click()
    await page.getByRole('listbox', { name: 'Messages, 2 in all' }).waitFor()

    // The last evaluation is there again, and taken along.
    await visit.goTo('evals', 'sums.yaml')
    await page.reload()
    await page.getByRole('cell', { name: '0 of 1 worse: was 2 of 2' }).waitFor()
    const json = await downloaded(page, 'Save as JSON')
    expect(readRates(json.text, json.name)).toMatchObject([{ model: 'offline', passed: 0, runs: 1 }])
    const junit = await downloaded(page, 'Save as JUnit')
    expect([junit.name, junit.text]).toEqual(['sums.xml', expect.stringContaining('<failure')])
    expect((await downloaded(page, 'Download')).text).toBe(await fileText())
    expect(visit.complaints).toEqual([])
    expect(visit.outside).toEqual([])
  })

  test('a file of somebody else: its mistakes, its program, its settings, a run that is stopped, and its end', async () => {
    await using visit = await Visit.begin({ evals: folder })
    const { page } = visit
    await visit.goTo('evals')
    const { command, args } = everything as { command: string; args: string[] }
    const text = JSON.stringify({
      tenonEvals: 1,
      servers: { it: { command, args } },
      cases: [{ promt: 'add 1 2' }],
    })
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Open a file' }).click()
    await (await chooser).setFiles({ name: 'sums.yaml', mimeType: 'text/yaml', buffer: Buffer.from(text) })
    await page.getByText('did you mean prompt?').waitFor()
    const editor = page.getByRole('region', { name: 'Text of the file' }).getByRole('textbox')
    await editor.fill(text.replace('promt', 'prompt'))
    await page.getByRole('button', { name: 'Save the text' }).click()
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByLabel('Allowed calls').fill('it.add')
    await page.getByLabel('Runs of each case').fill('500')
    await page.getByRole('button', { name: 'Save the settings' }).click()
    await expect.poll(fileText).toContain('it.add')
    await page.getByRole('button', { name: 'Run all' }).click()
    await page.getByRole('dialog', { name: 'Start this program?' }).getByText(args[0]!).waitFor()
    await page.getByRole('button', { name: 'Start the program' }).click()
    await page.getByRole('list', { name: 'Tool calls' }).first().waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('stopped', { exact: true }).waitFor()
    expect(await page.getByText('Save as JSON').count()).toBe(0)

    // By the keyboard alone: a new case, and the end of the file.
    await page.getByRole('button', { name: 'New case' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'New case' }).getByLabel('Prompt').focus()
    await page.keyboard.type('add 3 4')
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await page.getByRole('heading', { name: 'add 3 4' }).waitFor()
    await page.getByRole('button', { name: 'Remove this case' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete the file' }).click()
    await page.getByText('No eval cases yet').waitFor()
    expect(visit.complaints).toEqual([])
  })
})
