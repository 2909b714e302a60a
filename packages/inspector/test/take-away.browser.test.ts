import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serveHttp } from '@tenon/sdk/node'
import { createEverythingServer } from '@tenon/server-everything'
import type { Locator } from 'playwright-core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inBrowser, Visit } from './browser.suite.ts'
import { everything } from './workbench-in-test.suite.ts'

const commands = fileURLToPath(new URL('../../../node_modules/.bin', import.meta.url))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'take-away-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs a line in a shell, as after pasting it. */
const inShell = (line: string): Promise<{ code: number; out: string }> =>
  new Promise((resolve) => {
    const env = { ...process.env, PATH: `${commands}${delimiter}${process.env.PATH}` }
    execFile('sh', ['-c', line], { env, cwd: folder }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, out: out + err }),
    )
  })

/** The text that a button copies, after pasting. The page itself may not read the clipboard. */
async function copied(visit: Visit, button: Locator): Promise<string> {
  const editor = await visit.page.context().newPage()
  await editor.setContent('<textarea>before</textarea>')
  const box = editor.locator('textarea')
  await box.press('Control+a')
  await box.press('Control+x')
  await visit.page.bringToFront()
  await button.click()
  const paste = async (): Promise<string> => {
    await editor.bringToFront()
    await box.press('Control+a')
    await box.press('Control+v')
    return box.inputValue()
  }
  await expect.poll(paste).not.toBe('before')
  const text = await box.inputValue()
  await editor.close()
  return text
}

const look = { permissions: ['clipboard-read', 'clipboard-write'] }

/** Opens the newest message that a query finds. */
async function openMessage(visit: Visit, query: string): Promise<Locator> {
  const { page } = visit
  await visit.find('Timeline')
  await visit.filter(query)
  await page.getByRole('listbox', { name: 'Messages, 1 in all' }).waitFor()
  await page.getByRole('option').click()
  return page.getByRole('region', { name: 'Message' })
}

inBrowser('what is taken away from the page works elsewhere', () => {
  test('a call copied for the terminal, for curl and for a file gives the same answer there', async () => {
    await using http = await serveHttp(createEverythingServer(), { port: 0 })
    await using visit = await Visit.begin(
      {
        servers: [
          { ...everything, revision: '2025-11-25' },
          { kind: 'url', name: 'web', url: http.url },
        ],
      },
      look,
    )
    const { page } = visit
    await page.getByRole('region', { name: 'web' }).getByRole('link', { name: 'Echo' }).click()
    await page.getByRole('textbox', { name: /^message/ }).fill(`it's "quoted" & $HOME`)
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByRole('region', { name: 'Result', exact: true }).getByText(`it's "quoted" & $HOME`).first().waitFor()
    const echo = await openMessage(visit, 'server:web name:echo kind:request')
    const tenon = await inShell(await copied(visit, echo.getByRole('button', { name: 'Copy as tenon command' })))
    expect(tenon).toEqual({ code: 0, out: `it's "quoted" & $HOME\n` })
    const curl = await inShell(`${await copied(visit, echo.getByRole('button', { name: 'Copy as curl' }))} -s`)
    expect(curl.code).toBe(0)
    const [answer] = curl.out.match(/\{.*"result".*\}/) ?? ['']
    expect(JSON.parse(answer)).toMatchObject({ result: { content: [{ text: `it's "quoted" & $HOME` }] } })

    const line = await copied(visit, echo.getByRole('button', { name: 'Copy as saved call' }))
    await writeFile(join(folder, 'mine.yaml'), `tenonCalls: 1\ncalls:\n${line}\n`)
    expect(await inShell(`tenon test mine.yaml --server ${http.url}`)).toMatchObject({ code: 0 })
    const call = JSON.parse(line.slice(2)) as object
    const wrong = { tenonCalls: 1, calls: [{ ...call, expect: { text: 'something else' } }] }
    await writeFile(join(folder, 'fails.yaml'), JSON.stringify(wrong))
    expect((await inShell(`tenon test fails.yaml --server ${http.url}`)).code).toBe(8)

    await visit.find('Tool of everything divide')
    await page.getByLabel('dividend').fill('9')
    await page.getByLabel('divisor').fill('3')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByText('fits the output schema').waitFor()
    const divide = await openMessage(visit, 'server:everything name:divide kind:request')
    const command = await copied(visit, divide.getByRole('button', { name: 'Copy as tenon command' }))
    expect(command).toContain('--revision 2025-11-25')
    expect(await inShell(command)).toEqual({ code: 0, out: '{\n  "quotient": 3\n}\n' })

    // Changed and sent once more; the answer is here and in the timeline.
    await divide.getByText('Change and send again').click()
    await divide
      .getByLabel('Parameters of tools/call')
      .fill('{ "name": "divide", "arguments": { "dividend": 9, "divisor": 0 } }')
    await divide.getByRole('button', { name: 'Send' }).click()
    await divide.getByText('"The divisor is 0: give another one"').waitFor()
    await visit.filter('server:everything name:divide kind:request')
    await page.getByRole('listbox', { name: 'Messages, 2 in all' }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('a call saved in a collection is run by the command line, and fails there when it is no longer true', async () => {
    await using visit = await Visit.begin({ servers: [everything], calls: folder })
    const { page } = visit
    await page.getByRole('link', { name: 'Convert units' }).click()
    await page.getByRole('textbox', { name: /^value/ }).fill('5')
    await page.getByRole('textbox', { name: /^from/ }).fill('km')
    await page.getByRole('textbox', { name: /^to/ }).fill('m')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByRole('region', { name: 'Structured content' }).getByText('5000').waitFor()
    await page.getByRole('button', { name: 'Save this call' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save this call' })
    await dialog.getByLabel('Its title').fill('Units')
    await dialog.getByLabel('Name of the call').fill('kilometres become metres')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'kilometres become metres' }).waitFor()
    const passed = await inShell('tenon test units.yaml')
    expect(passed.out).toContain('kilometres become metres')
    expect(passed.code).toBe(0)
    const file = join(folder, 'units.yaml')
    await writeFile(file, (await readFile(file, 'utf8')).replace('5000', '5001'))
    expect((await inShell('tenon test units.yaml')).code).toBe(8)
    // The page shows the file as it is by now, and fails in the same place.
    await page.getByRole('link', { name: 'Units' }).first().click()
    await page.getByRole('button', { name: 'Run all' }).click()
    await page.getByText('0 passed, 1 failed').waitFor()
    await page.getByText('5001').first().waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('headers and events of HTTP are between the messages, and each request knows how long it took', async () => {
    await using http = await serveHttp(createEverythingServer(), { port: 0 })
    await using visit = await Visit.begin({
      servers: [
        { kind: 'url', name: 'web', url: http.url, revision: '2025-06-18', headers: { 'X-Api-Key': 'hidden' } },
      ],
    })
    const { page } = visit
    await page.getByRole('link', { name: 'Divide' }).waitFor()
    await visit.find('Timeline')
    await visit.filter('kind:http')
    await page.getByRole('option').first().click()
    const message = page.getByRole('region', { name: 'Message' })
    await message.getByText('content-type').first().waitFor()
    await message.getByText('"POST"').waitFor()
    await message.getByText('200').first().waitFor()
    expect(await message.textContent()).not.toContain('hidden')
    await visit.filter('method:initialize status:ok')
    await expect.poll(() => page.getByRole('option').count()).toBe(2)
    expect(await page.getByRole('option').last().locator('.row-duration').textContent()).toMatch(/^[\d.]+ m?s$/)
    await page.getByRole('button', { name: 'Latency' }).click()
    const row = page.getByRole('row', { name: /initialize/ })
    await row.waitFor()
    expect(await row.getByRole('cell').allTextContents()).toContainEqual(expect.stringMatching(/^[\d.]+ m?s$/))
    expect(visit.complaints).toEqual([])
  })
})
