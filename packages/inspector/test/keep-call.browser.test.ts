import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadCalls } from '@tenon/replay'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { barriers } from './axe.suite.ts'
import { inBrowser, Visit } from './browser.suite.ts'
import { everything } from './workbench-in-test.suite.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keep-call-'))
})
afterEach(() => rm(folder, { recursive: true }))

inBrowser('from the timeline to a saved call', () => {
  test('a person sees which answer belongs to a request, and keeps both as a call with what is expected', async () => {
    await using visit = await Visit.begin(
      { servers: [everything], calls: folder },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    )
    const { page } = visit
    await page.getByRole('link', { name: 'Divide' }).click()
    await page.getByLabel('dividend').fill('1')
    await page.getByLabel('divisor').fill('0')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByText('The tool ran, and failed').waitFor()
    await page.getByRole('link', { name: /^Timeline/ }).click()
    const rows = page.getByRole('option').filter({ hasText: 'divide' })
    await rows.first().click()
    await expect.poll(() => rows.last().getAttribute('class')).toContain('pair')
    const [span, first, last] = await Promise.all(
      [page.locator('.pair-span'), rows.first(), rows.last()].map((place) => place.boundingBox()),
    )
    const middle = ({ y, height }: { y: number; height: number }): number => y + height / 2
    expect(span!.y).toBeCloseTo(middle(first!), 0)
    expect(span!.y + span!.height).toBeCloseTo(middle(last!), 0)
    expect(await barriers(page, 'pair')).toEqual([])

    const message = page.getByRole('region', { name: 'Message' })
    await message.getByRole('button', { name: 'Copy as saved call' }).click()
    await message.getByText('Copied').waitFor()
    // The page itself may not read the clipboard; another page may.
    await page.getByLabel('Filter messages').press('Control+v')
    const line = await page.getByLabel('Filter messages').inputValue()
    await visit.filter('')
    const { calls } = loadCalls(`tenonCalls: 1\ncalls:\n${line}\n`)
    expect(calls[0]).toMatchObject({
      operation: { kind: 'tool', name: 'divide', arguments: { dividend: 1, divisor: 0 } },
      expect: { isError: true },
    })

    await message.getByRole('button', { name: 'Save this call' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: /divide/ }).waitFor()
    expect(await readFile(join(folder, 'my-calls.yaml'), 'utf8')).toContain('isError: true')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('1 passed, 0 failed').waitFor()
    expect(visit.complaints).toEqual([])
  })
})
