import { expect, test } from 'vitest'
import { barriers } from './axe.suite.ts'
import { inBrowser, Visit } from './browser.suite.ts'
import { flood } from './flood.suite.ts'
import { everything } from './workbench-in-test.suite.ts'

inBrowser('the timeline in the browser', () => {
  test('a person filters, looks at a message, and goes from a request to its answer', async () => {
    await using visit = await Visit.begin({ servers: [everything] })
    const { page } = visit
    await page.getByRole('link', { name: 'Divide' }).click()
    await page.getByLabel('dividend').fill('1')
    await page.getByLabel('divisor').fill('0')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByText('The tool ran, and failed').waitFor()
    await page.getByRole('link', { name: /^Timeline/ }).click()
    await visit.filter('method:tools/call name:divide')
    await expect.poll(() => page.getByRole('option').count()).toBe(2)
    await page.getByRole('option').first().click()
    const message = page.getByRole('region', { name: 'Message' })
    await message.locator('.json-tree').getByText('"divide"').waitFor()
    await message.getByRole('button', { name: 'Its answer' }).click()
    await message.getByText('isError').waitFor()
    await visit.filter('')
    await page.getByRole('button', { name: 'Errors' }).click()
    expect(await page.getByLabel('Filter messages').inputValue()).toBe('status:error,refused,lost')
    await expect.poll(() => page.getByRole('option').count()).toBe(2)
    await visit.filter('status:nonsense')
    await page.getByText('expected one of ok, error').waitFor()
    await visit.filter('')
    await page.getByRole('button', { name: 'Latency' }).click()
    await page.getByRole('cell', { name: 'tools/call' }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('rows say what happened, a query is completed, counted and put right, and polls are one row', async () => {
    await using visit = await Visit.begin({ servers: [everything] })
    const { page } = visit
    await page.getByRole('link', { name: 'Cook dinner' }).click()
    await page.getByLabel(/Run as a task/).check()
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByText('How spicy?').first().waitFor()
    await page.getByRole('button', { name: 'Later' }).click()
    await visit.goTo('timeline')
    await page.getByText('Method and content').waitFor()
    const rows = page.getByRole('listbox', { name: /^Messages/ }).getByRole('option')
    await rows
      .filter({ hasText: 'tools/list' })
      .filter({ hasText: /2\d tools/ })
      .waitFor()

    // The task waits for the answer: its equal polls are one row that counts them.
    const asking = rows.filter({ hasText: 'input_required' }).filter({ hasText: 'tasks/get' })
    await asking.filter({ hasText: /×\d/ }).waitFor()
    expect(await asking.count()).toBe(1)
    await page.getByRole('button', { name: 'Every poll' }).click()
    await expect.poll(() => asking.count()).toBeGreaterThan(1)
    await page.getByRole('button', { name: 'Every poll' }).click()
    await expect.poll(() => asking.count()).toBe(1)

    const box = page.getByLabel('Filter messages')
    const terms = page.getByRole('listbox', { name: 'Terms' }).getByRole('option')
    await box.pressSequentially('sta')
    await terms.filter({ hasText: 'status:' }).waitFor()
    await page.keyboard.press('Enter')
    await terms.filter({ hasText: 'cancelled' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await expect.poll(() => box.inputValue()).toBe('status:error ')
    await page.getByText(/^0 of \d+ messages$/).waitFor()
    await box.fill('methd:tools/call')
    await page.getByText(/methd: is no key; expected one of server, method/).waitFor()
    expect(await box.getAttribute('aria-invalid')).toBe('true')
    await box.fill('method:tools/call')
    await page.getByText(/^2 of \d+ messages$/).waitFor()

    const download = page.waitForEvent('download')
    await page.locator('summary', { hasText: 'Export' }).click()
    await page.getByRole('button', { name: 'Matching messages' }).click()
    expect((await download).suggestedFilename()).toMatch(/^tenon-.*\.jsonl$/)
    await box.fill('')
    expect(await barriers(page, 'timeline-rows')).toEqual([])
    expect(visit.complaints).toEqual([])
  })

  test('a request is taken to a terminal, and sent again with other parameters', async () => {
    await using visit = await Visit.begin(
      { servers: [everything] },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    )
    const { page } = visit
    await page.getByRole('link', { name: 'Divide' }).click()
    await page.getByLabel('dividend').fill('9')
    await page.getByLabel('divisor').fill('3')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByText('fits the output schema').waitFor()
    await visit.find('Timeline')
    await visit.filter('name:divide kind:request')
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    await page.getByRole('option').click()
    const message = page.getByRole('region', { name: 'Message' })
    await message.getByRole('button', { name: 'Copy as tenon command' }).click()
    await message.getByText('Copied').waitFor()
    // The page itself may not read the clipboard; another page may.
    const box = page.getByLabel('Filter messages')
    await box.fill('')
    await box.press('Control+v')
    expect(await box.inputValue()).toMatch(
      /^tenon call divide '\{"dividend":9,"divisor":3\}' --revision 2026-07-28 -- \S+node \S+everything.js$/,
    )
    await message.getByText('Change and send again').click()
    await message
      .getByLabel('Parameters of tools/call')
      .fill('{ "name": "divide", "arguments": { "dividend": 9, "divisor": 0 } }')
    await message.getByRole('button', { name: 'Send' }).click()
    await message.getByText('"The divisor is 0: give another one"').waitFor()
  })

  test('messages are walked through with the keys', async () => {
    await using visit = await Visit.begin({ servers: [everything] })
    const { page } = visit
    await page.getByRole('link', { name: 'Divide' }).waitFor()
    await visit.find('Timeline')
    await visit.filter('kind:request')
    const list = page.getByRole('listbox', { name: /Messages/ })
    const message = page.getByRole('region', { name: 'Message' })
    // There is nothing to choose from before the rows of the filter are there.
    await expect
      .poll(async () => {
        await list.press('ArrowUp')
        return message.isVisible()
      })
      .toBe(true)
    const first = await list.getAttribute('aria-activedescendant')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => list.getAttribute('aria-activedescendant')).not.toBe(first)
    await page.keyboard.press('Escape')
    await message.waitFor({ state: 'hidden' })
  })

  const found = '100,000 messages: only those in view exist, both ends can be reached, and one in all of them is found'
  test(found, { timeout: 120_000 }, async () => {
    await using visit = await Visit.begin({ servers: [flood(100_000)] })
    const { page } = visit
    await visit.goTo('timeline')
    const list = page.getByRole('listbox', { name: 'Messages, 100000 in all' })
    await list.waitFor({ timeout: 100_000 })
    expect(await page.getByRole('option').count()).toBeLessThan(150)
    await visit.filter('"message number 77777"')
    await page.getByRole('listbox', { name: 'Messages, 1 in all' }).waitFor()
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    await page.getByRole('option').click()
    await page
      .getByRole('region', { name: 'Message' })
      .locator('.json-tree')
      .getByText('"message number 77777"')
      .waitFor()
    await visit.filter('notifications')
    await list.waitFor({ timeout: 100_000 })
    for (const share of [0, 0.5, 1]) {
      await list.evaluate((node, at) => node.scrollTo(0, (node.scrollHeight - node.clientHeight) * at), share)
      await expect
        .poll(() => page.getByRole('option').evaluateAll((rows) => rows.map((row) => Number(row.ariaPosInSet))))
        .toContain(Math.max(1, Math.round(100_000 * share)))
    }
  })
})
