import { serveHttp } from '@tenon/sdk/node'
import { createEverythingServer } from '@tenon/server-everything'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { ServerSpec } from '../src/protocol.ts'
import { inBrowser, Visit } from './browser.suite.ts'
import { everything } from './workbench-in-test.suite.ts'

const ways = [
  ['2026-07-28', 'stdio'],
  ['2026-07-28', 'http'],
  ['2025-11-25', 'stdio'],
  ['2025-11-25', 'http'],
] as const

const resultOf = (page: Page): Locator => page.getByRole('region', { name: 'Result', exact: true })

/** The suggestions of the browser for an input. */
const suggestions = (input: Locator): Promise<string[]> =>
  input.evaluate((node) => [...((node as HTMLInputElement).list?.options ?? [])].map(({ value }) => value))

async function looksAtTheServer({ page }: Visit, revision: string): Promise<void> {
  await page
    .getByRole('region', { name: 'Servers' })
    .getByRole('link', { name: /everything/ })
    .click()
  const facts = page.getByRole('region', { name: 'Connection' })
  await facts.getByText(`${revision} (pinned)`).waitFor()
  await expect.poll(() => facts.locator('.latency').textContent()).toMatch(/^[\d.]+ m?s$/)
  await page.getByRole('region', { name: 'Capabilities' }).getByText('Completion of arguments').waitFor()
  await page.getByRole('region', { name: 'Instructions' }).waitFor()
}

async function readsResources(visit: Visit): Promise<void> {
  const { page } = visit
  const result = resultOf(page)
  await visit.find('guide:///welcome')
  await result.locator('.markdown').getByRole('heading').first().waitFor()
  await visit.find('guide:///logo.png')
  const picture = result.getByRole('img')
  await expect.poll(() => picture.evaluate((node) => (node as HTMLImageElement).naturalWidth)).toBe(64)

  await visit.find('Template conversion')
  await page.getByLabel('quantity').fill('len')
  await expect.poll(() => suggestions(page.getByLabel('quantity'))).toEqual(['length'])
  await page.getByLabel('quantity').fill('length')
  await page.getByLabel('from').fill('k')
  // Suggestions depend on the value of the field before.
  await expect.poll(() => suggestions(page.getByLabel('from'))).toEqual(['km'])
  await page.getByLabel('from').fill('km')
  await page.getByLabel('to', { exact: true }).fill('m')
  await page.getByText('conversion:///length/km/m', { exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await result.getByText('1000').first().waitFor()
  await page.getByLabel('to', { exact: true }).fill('kg')
  await page.getByRole('button', { name: 'Read', exact: true }).click()
  await result.locator('[data-problem="protocol"]').waitFor()
}

async function watchesTheBoard(visit: Visit, text: string): Promise<void> {
  const { page } = visit
  await visit.find('board:///today')
  await resultOf(page).getByText('Nothing was written yet').first().waitFor()
  await page.getByRole('button', { name: 'Watch', exact: true }).click()
  await page.getByRole('button', { name: 'Watching' }).waitFor()
  await visit.find('write_on_board')
  await page.getByRole('textbox', { name: 'text' }).fill(text)
  await page.getByRole('button', { name: 'Call tool' }).click()
  await resultOf(page).getByText('The board was written on.').first().waitFor()
  await visit.find('Resources Go to')
  const item = page.getByRole('link', { name: /The board/ })
  await item.getByText('changed', { exact: true }).waitFor()
  await item.click()
  // It was read when it was opened: the mark is gone until the next change.
  await resultOf(page).getByText(text).first().waitFor()
  await item.getByText('changed', { exact: true }).waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Watching' }).click()
  await page.getByRole('button', { name: 'Watch', exact: true }).waitFor()
}

async function getsPrompts(visit: Visit): Promise<void> {
  const { page } = visit
  await visit.find('Prompt name_that_color')
  const color = page.getByRole('combobox', { name: /^color/ })
  await color.fill('tea')
  await expect.poll(() => suggestions(color)).toEqual(['teal'])
  await color.fill('teal')
  await page.getByRole('button', { name: 'Get prompt' }).click()
  const messages = resultOf(page).getByRole('listitem')
  await expect.poll(() => messages.count()).toBe(5)
  await messages.nth(2).getByText('assistant').waitFor()
  await messages.nth(4).getByRole('img').waitFor()
  await color.fill('no such colour')
  await page.getByRole('button', { name: 'Get prompt' }).click()
  await resultOf(page).locator('[data-problem="protocol"]').getByText('There is no colour').waitFor()
}

async function playsTheOtherSide(visit: Visit, revision: string): Promise<void> {
  const { page } = visit
  const dock = page.getByRole('complementary', { name: 'A server asks' })
  await visit.find('summarize')
  await page.getByRole('textbox', { name: 'text' }).fill('A long story about a joint')
  await page.getByRole('button', { name: 'Call tool' }).click()
  await dock.getByRole('region', { name: 'everything asks the model' }).waitFor()
  await dock.getByText('A long story about a joint').first().waitFor()
  await dock.getByText('Summarize what the user sends').first().waitFor()
  await dock.getByLabel('Answer of the model').fill('A joint.')
  await dock.getByRole('button', { name: 'Send answer' }).click()
  await resultOf(page).getByText('A joint.').first().waitFor()
  await page.getByRole('button', { name: 'Call tool' }).click()
  await dock.getByRole('button', { name: 'Decline' }).click()
  // Older servers get it as an error and answer; with the newest, the call ends here.
  const refusal = resultOf(page).locator('[data-problem]')
  const words = revision === '2026-07-28' ? 'You declined what the server asked' : 'The tool ran, and failed'
  await refusal.getByText(words).waitFor()

  await visit.find('open_page')
  await page.getByRole('button', { name: 'Call tool' }).click()
  const asks = dock.getByRole('region', { name: 'everything wants you to open a page' })
  await asks.locator('.address strong').getByText('example.com', { exact: true }).waitFor()
  const opened = page.context().waitForEvent('page')
  await asks.getByRole('link', { name: 'Open the page' }).click()
  const other = await opened
  await other.waitForURL('https://example.com/')
  expect(await other.evaluate(() => window.opener)).toBeNull()
  await other.close()
  await resultOf(page).getByText('The user opened the page.').first().waitFor()
}

async function seesKindsOfResults(visit: Visit): Promise<void> {
  const { page } = visit
  await visit.find('play_tone')
  const badges = page.getByRole('list', { name: 'Annotations of this tool' })
  await page.getByRole('heading', { name: 'Play a tone' }).waitFor()
  expect(await badges.getByRole('listitem').allTextContents()).toEqual([
    'reads only readOnlyHint',
    'repeatable idempotentHint',
    'stays inside openWorldHint',
  ])
  await page.getByRole('button', { name: 'Call tool' }).click()
  const sound = resultOf(page).locator('audio')
  await expect.poll(() => sound.evaluate((node) => (node as HTMLAudioElement).duration)).toBeCloseTo(0.5, 1)
  await visit.find('crash')
  await page.getByRole('button', { name: 'Call tool' }).click()
  await resultOf(page)
    .getByRole('status')
    .getByText(/tool error|protocol/)
    .waitFor()
  expect(await page.getByText('This sentence is for the operator').count()).toBe(0)
}

/** Chooses which log messages are sent, and finds them between the others. */
async function readsTheLog(visit: Visit): Promise<void> {
  const { page } = visit
  await visit.find('everything Server')
  await page.getByRole('tab', { name: 'Log' }).click()
  await page.getByLabel('Server sends from').selectOption('info')
  await expect.poll(() => page.getByLabel('Server sends from').inputValue()).toBe('info')
  await visit.find('count_primes')
  await page.getByRole('textbox', { name: 'below' }).fill('100')
  await page.getByRole('button', { name: 'Call tool' }).click()
  await page.getByRole('region', { name: 'Structured content' }).getByText('25').waitFor()
  await visit.find('Timeline')
  await visit.filter('method:notifications/message primes')
  await expect.poll(() => page.getByRole('option').count()).toBe(2)
}

inBrowser('every feature of a server', () => {
  test.each(ways)('in %s over %s, step by step', async (revision, way) => {
    await using http = way === 'http' ? await serveHttp(createEverythingServer(), { port: 0 }) : undefined
    const spec: ServerSpec =
      http === undefined ? { ...everything, revision } : { kind: 'url', name: 'everything', url: http.url, revision }
    await using visit = await Visit.begin({ servers: [spec] })
    // The page that the server wants to be opened; there is no other way to the outside.
    await visit.page.context().route('https://example.com/', (route) => route.fulfill({ body: 'hello' }))
    await visit.page.getByRole('link', { name: 'Divide' }).waitFor()
    await looksAtTheServer(visit, revision)
    await readsResources(visit)
    await watchesTheBoard(visit, `Lunch at one, ${revision} over ${way}`)
    await getsPrompts(visit)
    await playsTheOtherSide(visit, revision)
    await seesKindsOfResults(visit)
    await readsTheLog(visit)
    expect(visit.complaints).toEqual([])
    expect(visit.outside).toEqual([])
  })
})
