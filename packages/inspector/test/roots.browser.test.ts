import { describe, expect, test } from 'vitest'
import { barriers } from './axe.suite.ts'
import { inBrowser, Visit } from './browser.suite.ts'
import { reach, ways } from './tasks.suite.ts'

inBrowser('roots in the browser', () => {
  describe.each(ways)('%s over %s', (revision, transport) => {
    test('a person changes the roots while connected, and the server gets them', async () => {
      await using way = await reach(revision, transport)
      await using visit = await Visit.begin({ servers: [way.spec] })
      const { page } = visit
      const list = async (): Promise<void> => {
        await visit.find('list_roots')
        await page.getByRole('button', { name: 'Call tool' }).click()
      }
      const result = page.getByRole('region', { name: 'Result' })
      const open = async (): Promise<void> => {
        await visit.find('everything Server')
        await page.getByRole('tab', { name: 'Roots' }).click()
      }
      await page.getByRole('link', { name: 'List roots' }).waitFor()
      await open()
      await page.getByText('There are none.').waitFor()
      await page.getByRole('button', { name: 'Add a root' }).click()
      await page.keyboard.type('some folder')
      await page.getByRole('button', { name: 'Save roots' }).click()
      await page
        .getByRole('alert')
        .getByText('Root 1: expected a whole path, or a URI that begins with file://')
        .waitFor()
      const path = page.getByLabel('Path or URI of root 1')
      expect(await path.getAttribute('aria-invalid')).toBe('true')
      await path.fill('/srv/some folder')
      await page.getByLabel('Name of root 1').fill('the project')
      await page.getByRole('button', { name: 'Add a root' }).click()
      await page.getByLabel('Path or URI of root 2').fill('file:///srv/other')
      await page.getByRole('button', { name: 'Save roots' }).click()
      const told = revision === '2026-07-28' ? 'gets them when it asks next' : 'The server was told'
      await page.getByRole('status').getByText(told).waitFor()
      await expect.poll(() => path.inputValue()).toBe('file:///srv/some%20folder')
      await list()
      await result.getByText('the project: file:///srv/some%20folder').first().waitFor()
      await result.getByText('file:///srv/other').first().waitFor()
      await open()
      await page.getByText('last asked for at').waitFor()
      await page.getByRole('button', { name: 'Remove root 1' }).click()
      await page.getByRole('button', { name: 'Save roots' }).click()
      await page.getByRole('status').getByText(told).waitFor()
      await list()
      // The result of the first call is there until the next one comes.
      await expect.poll(() => result.getByText('the project').count()).toBe(0)
      await result.getByText('file:///srv/other').first().waitFor()
      expect(visit.complaints.filter((complaint) => !complaint.includes('422'))).toEqual([])
    })
  })

  test('axe finds nothing on the roots, and names outlive a change of other settings', async () => {
    await using way = await reach('2025-11-25', 'http')
    const roots = [
      { uri: 'file:///srv/a', name: 'first' },
      { uri: 'file:///srv/a/rather/long/path/that/goes/on/and/on' },
    ]
    await using visit = await Visit.begin({ servers: [{ ...way.spec, roots }] })
    const { page } = visit
    await page.getByRole('link', { name: 'List roots' }).waitFor()
    await visit.find('everything Server')
    await page.getByRole('tab', { name: 'Roots' }).click()
    await page.getByLabel('Path or URI of root 2').fill('file://srv/b')
    await page.getByRole('button', { name: 'Save roots' }).click()
    await page.getByRole('alert').getByText('Did you mean file:///srv/b?').waitFor()
    expect(await barriers(page, 'roots')).toEqual([])
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Save and reconnect' }).click()
    await page.getByRole('status').getByText('connected', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Roots' }).click()
    expect(await page.getByLabel('Name of root 1').inputValue()).toBe('first')
  })
})
