import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { inBrowser, Visit } from './browser.suite.ts'
import { everything } from './workbench-in-test.suite.ts'

const { command, args } = everything as { command: string; args: string[] }

inBrowser('without a mouse', () => {
  test('a person connects, finds a tool, calls it, answers its question and reads the result, with keys alone', async () => {
    await using visit = await Visit.begin({})
    const { page } = visit
    const { keyboard } = page
    const isFocused = (place: Locator): Promise<boolean> =>
      place.evaluate((node) => node === document.activeElement).catch(() => false)
    /** Presses Tab until something has the focus, in a few steps. */
    const tabTo = async (place: Locator, most: number): Promise<void> => {
      await place.waitFor()
      for (let step = 0; step <= most; step++) {
        if (await isFocused(place)) return
        await keyboard.press('Tab')
      }
      throw new Error(`More than ${most} steps to ${place}`)
    }
    const goTo = async (letters: string, found: string): Promise<void> => {
      await keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Go to' }).waitFor()
      await keyboard.type(letters)
      await page.getByRole('option', { selected: true }).getByText(found).first().waitFor()
      await keyboard.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }

    await goTo('timel', 'Timeline')
    await page.getByLabel('Filter messages').waitFor()
    await goTo('add', 'Add a server')
    await tabTo(page.getByRole('tab', { name: 'Command' }), 2)
    await keyboard.press('ArrowRight')
    await page.getByRole('textbox', { name: 'URL' }).waitFor()
    await keyboard.press('ArrowLeft')
    await tabTo(page.getByRole('textbox', { name: 'Command' }), 2)
    await keyboard.type(`${command} ${args[0]}`)
    await keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Start this program?' })
    await tabTo(dialog.getByRole('button', { name: 'Start the program' }), 2)
    await keyboard.press('Enter')
    await page.getByRole('status').getByText('connected', { exact: true }).waitFor()
    await page.getByRole('link', { name: /^Tools\s*\d+/ }).waitFor()

    await goTo('plan trip', 'Plan a trip')
    await tabTo(page.getByRole('textbox', { name: 'destination' }), 4)
    await keyboard.type('Kyoto')
    await keyboard.press('Control+Enter')
    const dock = page.getByRole('complementary', { name: 'A server asks' })
    await dock.getByText('Tell me about your trip to Kyoto').waitFor()
    // A new question does not take the focus away from an input.
    expect(await isFocused(page.getByRole('textbox', { name: 'destination' }))).toBe(true)
    await goTo('answer', 'Answer')
    await tabTo(dock.getByLabel('Your name'), 2)
    await keyboard.type('Ada')
    await tabTo(dock.getByLabel('Your email'), 2)
    await keyboard.type('ada@example.com')
    await tabTo(dock.getByLabel('First day'), 4)
    await keyboard.type('2026-08-01')
    expect(await dock.getByLabel('First day').inputValue()).toBe('2026-08-01')
    await keyboard.press('Enter')
    const structured = page.getByRole('region', { name: 'Structured content' })
    await structured.getByText('"2026-08-04"').waitFor()

    // Elsewhere and back: the typed text and the answer are still there.
    await goTo('timeline', 'Timeline')
    const messages = page.getByRole('listbox', { name: /Messages/ })
    await tabTo(messages, 12)
    await keyboard.press('ArrowUp')
    await page.getByRole('region', { name: 'Message' }).waitFor()
    await keyboard.press('Escape')
    await goTo('plan trip', 'Plan a trip')
    await structured.getByText('"2026-08-04"').waitFor()
    expect(await page.getByRole('textbox', { name: 'destination' }).inputValue()).toBe('Kyoto')
    await keyboard.press('/')
    expect(await isFocused(page.getByRole('searchbox').or(page.getByLabel('Search tools')).first())).toBe(true)
    expect(visit.complaints).toEqual([])
  })
})
