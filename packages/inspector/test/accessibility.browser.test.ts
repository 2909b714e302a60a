import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ServerSpec } from '../src/protocol.ts'
import { barriers } from './axe.suite.ts'
import { inBrowser, Visit } from './browser.suite.ts'
import { everything } from './workbench-in-test.suite.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The findings of axe, in a line each. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResults
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

const nobody: ServerSpec = { kind: 'url', name: 'nobody', url: 'http://127.0.0.1:9/mcp' }

const looks = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const

inBrowser('accessibility', () => {
  describe.each(looks)('%s at %i pixels', (colorScheme, width) => {
    test('axe finds nothing on any screen, and nothing is wider than the screen', async () => {
      await using visit = await Visit.begin(
        { servers: [everything, nobody] },
        { colorScheme, viewport: { width, height: 740 } },
      )
      const { page } = visit
      const check = async (screen: string): Promise<void> => {
        expect.soft(await findings(page), screen).toEqual([])
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect.soft(wide, `${screen} is too wide`).toBeLessThanOrEqual(0)
      }
      await page.getByRole('link', { name: 'Divide' }).waitFor()
      await check('tools')
      await visit.goTo('')
      await page.getByRole('region', { name: 'Try' }).getByRole('link').first().waitFor()
      await check('start')
      await visit.find('plan_trip')
      await page.getByLabel('destination').fill('Kyoto')
      await page.getByRole('button', { name: 'Call tool' }).click()
      await page.getByRole('complementary', { name: 'A server asks' }).getByLabel('Your name').waitFor()
      await check('a question')
      await visit.goTo('questions')
      await page.getByRole('heading', { name: 'Questions' }).waitFor()
      await check('questions')
      await page.getByRole('button', { name: 'Decline' }).click()
      await page.getByText('No open questions').waitFor()
      await check('no questions')
      await visit.find('Divide')
      await page.getByLabel('dividend').fill('1')
      await page.getByRole('button', { name: 'Call tool' }).click()
      await page
        .getByRole('region', { name: 'Result' })
        .getByRole('status')
        .getByText(/error|protocol/)
        .waitFor()
      await check('a result')
      await page.keyboard.press('Control+k')
      await page.getByRole('listbox', { name: 'Found' }).getByRole('option').first().waitFor()
      await check('the palette')
      await page.keyboard.press('Escape')
      for (const screen of ['resources', 'prompts'] as const) {
        await visit.goTo(screen)
        await page.locator('.list-item').first().waitFor()
        await check(screen)
        await page.locator('.list-item').last().click()
        await page.locator('.detail-pane h1').waitFor()
        await check(`one of ${screen}`)
      }
      await visit.goTo('playground')
      await page.getByText('A model may use').waitFor()
      await page.getByText('Model:').click()
      await check('an empty playground')
      // The workbench is no model: it refuses at once.
      await page.getByLabel('Second model').fill(`${new URL(visit.inspector.url).origin}/v1#nobody`)
      await page.getByRole('button', { name: 'Use', exact: true }).click()
      await page.getByLabel('Key of http').waitFor()
      await check('the models of the playground')
      await page.getByText('Models:').click()
      await page.getByRole('button', { name: 'Please add 19 and 23' }).click()
      await page.getByRole('button', { name: 'Edit arguments' }).click()
      await check('consent in the playground')
      await page.getByRole('button', { name: 'Allow once' }).click()
      await page.getByText(/answered · 2 steps/).waitFor()
      await check('answers in the playground')
      await page.getByRole('button', { name: 'Save as eval case' }).first().click()
      await page.getByRole('dialog').getByLabel('Its title').waitFor()
      await check('an answer that becomes an eval case')
      await page.keyboard.press('Escape')
      await page.getByText(/^failed · /).waitFor()
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await check('a message that is edited')
      await page.getByRole('button', { name: 'Save as eval case' }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByLabel('Steps at most').fill('1')
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByText('0 passed, 1 failed').waitFor()
      await page.getByText('Transcript').click()
      await page.getByRole('region', { name: 'Tool call add' }).waitFor()
      await check('an eval case with its results')
      await visit.goTo('evals', 'my-cases.yaml')
      await page.getByRole('button', { name: 'Settings' }).click()
      await check('a file of eval cases with its settings')
      await visit.goTo('timeline')
      await page.getByRole('option').first().click()
      await page.getByRole('region', { name: 'Message' }).getByText('jsonrpc').waitFor()
      await page.getByRole('button', { name: 'Latency' }).click()
      await page.getByRole('cell').first().waitFor()
      await check('timeline')
      await visit.goTo('add')
      await page.getByRole('textbox', { name: 'Command' }).fill('some program')
      await check('add a server')
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByRole('dialog').waitFor()
      await check('confirmation')
      await page.keyboard.press('Escape')
      await visit.find('nobody')
      await page.getByRole('tab', { name: 'Diagnosis' }).click()
      await page.locator('.step').first().waitFor()
      await check('diagnosis')
      await visit.find('everything Server')
      await page.getByRole('region', { name: 'Capabilities' }).waitFor()
      await check('server')
      await page.getByRole('tab', { name: 'Settings' }).click()
      await check('settings')
    })
  })

  test('axe finds nothing on the start page, beside the panel and on a question, at five widths in both themes', async () => {
    await using visit = await Visit.begin({ servers: [everything, nobody] })
    const { page } = visit
    const ways = [360, 768, 1024, 1440, 1920].flatMap((width) => [['light', width] as const, ['dark', width] as const])
    await visit.find('plan_trip')
    await page.getByLabel('destination').fill('Kyoto')
    await page.getByRole('button', { name: 'Call tool' }).click()
    const dock = page.getByRole('complementary', { name: 'A server asks' })
    await dock.getByLabel('Your name').waitFor()
    expect.soft(await barriers(page, 'question in the panel', ways)).toEqual([])
    await dock.getByRole('button', { name: 'Decline' }).click()
    await page.getByRole('button', { name: 'Messages' }).click()
    await page.locator('.message-line').first().click()
    await page.locator('.message-text').waitFor()
    expect.soft(await barriers(page, 'messages in the panel', ways)).toEqual([])
    await visit.goTo('')
    await page.getByRole('region', { name: 'Recent calls' }).getByRole('link', { name: 'Plan a trip' }).waitFor()
    expect.soft(await barriers(page, 'start', ways)).toEqual([])
  })
})
