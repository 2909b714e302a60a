import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { barriers } from './axe.suite.ts'
import { inBrowser, Visit } from './browser.suite.ts'
import { everything } from './workbench-in-test.suite.ts'

const { command, args } = everything as { command: string; args: string[] }

/** The address of a screen by its name in the rail. */
const addressOf = (screen: string): string =>
  screen === 'Start' ? '#/' : `#/${screen.toLowerCase().replace(' calls', '')}`

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
    await keyboard.press('/')
    await keyboard.press('ArrowDown')
    await expect.poll(() => isFocused(messages)).toBe(true)
    await messages.getByRole('option').last().waitFor()
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

  test('arrows, Enter, / and Escape work in lists, and ? shows the keys', async () => {
    await using visit = await Visit.begin({ servers: [everything] })
    const { page } = visit
    const { keyboard } = page
    const focus = (): Promise<string> =>
      page.evaluate(() => {
        const at = document.activeElement!
        const label = at.id === '' ? null : document.querySelector(`label[for="${at.id}"]`)
        return (label?.textContent ?? at.getAttribute('aria-label') ?? at.textContent ?? '').trim()
      })
    await page.getByRole('link', { name: 'Convert units' }).waitFor()
    // Search, and the best match: eight keys to the first field of its form.
    await keyboard.press('/')
    await keyboard.type('conver')
    await page.getByRole('region', { name: 'Found' }).getByRole('link').first().getByText('Convert units').waitFor()
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Convert units' }).waitFor()
    await expect.poll(focus).toMatch(/^value/)
    await keyboard.press('Escape')
    await expect.poll(focus).toMatch(/^Convert units/)
    // Up to the search box, which Escape empties, and down again into the list.
    await keyboard.press('ArrowUp')
    await expect.poll(focus).toBe('Search tools')
    await keyboard.press('Escape')
    await page.getByRole('link', { name: 'Plan a trip' }).waitFor()
    await keyboard.press('ArrowDown')
    const first = await focus()
    await keyboard.press('ArrowDown')
    const second = await focus()
    expect(second).not.toBe(first)
    await keyboard.press('ArrowUp')
    expect(await focus()).toBe(first)
    await keyboard.press('Enter')
    await page.locator('.split.chosen').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.tool-form') !== null)).toBe(true)
    // The timeline: a row, its message, and back.
    await visit.goTo('timeline')
    await page.getByRole('listbox', { name: /^Messages, [1-9]/ }).waitFor()
    await keyboard.press('/')
    await keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.classList.contains('rows'))).toBe(true)
    await keyboard.press('ArrowUp')
    await page.getByRole('button', { name: 'Close message' }).focus()
    await keyboard.press('Escape')
    await expect.poll(() => page.evaluate(() => document.activeElement?.classList.contains('rows'))).toBe(true)
    // No place is further than ten keys: two for the palette, and a few letters.
    for (const screen of [
      'Resources',
      'Prompts',
      'Playground',
      'Evals',
      'Questions',
      'Tasks',
      'Sessions',
      'Saved calls',
      'Servers',
      'Start',
      'Tools',
    ]) {
      await keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Go to' }).waitFor()
      await keyboard.type(screen.slice(0, 8))
      await page.getByRole('option', { selected: true }).getByText(screen, { exact: true }).first().waitFor()
      await keyboard.press('Enter')
      await expect.poll(() => new URL(page.url()).hash.toLowerCase()).toBe(addressOf(screen))
    }
    await keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keys' })
    await help.getByText('From item to item').waitFor()
    expect(await barriers(page, 'keys')).toEqual([])
    await keyboard.press('Escape')
    await help.waitFor({ state: 'hidden' })
    expect(visit.complaints).toEqual([])
  })
})
