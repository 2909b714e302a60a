import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { barriers } from './axe.suite.ts'
import { inBrowser, Visit } from './browser.suite.ts'
import { reach } from './tasks.suite.ts'

const ways = [
  ['2025-06-18', 'stdio'],
  ['2025-11-25', 'http'],
  ['2026-07-28', 'stdio'],
  ['2026-07-28', 'http'],
] as const

/** A server that logs as many messages as its tool is called for. */
async function serveLogs(): Promise<AsyncDisposable & { url: string }> {
  const say = tool({
    name: 'say',
    input: z.object({ level: z.enum(['debug', 'warning', 'emergency']), count: z.number() }),
    run: ({ level, count }, ctx) => {
      for (let number = 1; number <= count; number++) ctx.log(level, `${level} <b>number</b> ${number}\u202e`, 'mouth')
      return 'Said'
    },
  })
  const http = await serveHttp(createServer({ name: 'talker', version: '1.0.0', tools: [say], logging: true }), {
    port: 0,
  })
  return { url: http.url, [Symbol.asyncDispose]: () => http.close() }
}

inBrowser('logs in the browser', () => {
  test.each(ways)(
    'a person chooses a level of %s over %s, and reads what the server logs',
    async (revision, transport) => {
      await using way = await reach(revision, transport)
      await using visit = await Visit.begin({ servers: [way.spec] })
      const { page } = visit
      const log = page.getByRole('log', { name: 'Log messages' })
      const count = async (): Promise<void> => {
        await visit.find('count_primes')
        await page.getByRole('textbox', { name: 'below' }).fill('100')
        await page.getByRole('button', { name: 'Call tool' }).click()
        await page.getByRole('region', { name: 'Result' }).getByRole('status').getByText('done').waitFor()
        await visit.find('everything Server')
        await page.getByRole('tab', { name: 'Log' }).click()
      }
      await page.getByRole('link', { name: 'Count primes' }).waitFor()
      await visit.find('everything Server')
      await page.getByRole('tab', { name: 'Log' }).click()
      await page.getByRole('heading', { name: 'Nothing was logged' }).waitFor()
      await page.getByLabel('Server sends from').selectOption('debug')
      await expect.poll(() => page.getByLabel('Server sends from').inputValue()).toBe('debug')
      await count()
      await log.getByText('primes', { exact: true }).first().waitFor()
      await page.getByRole('status').getByText('3 messages').waitFor()
      await log.getByText('"event":"finished"').click()
      await log.locator('.json-tree').getByText('25').waitFor()
      await page.getByLabel('Show from').selectOption('info')
      await page.getByRole('status').getByText('2 of 3 messages').waitFor()
      await page.getByLabel('Search the log').fill('started')
      await page.getByRole('status').getByText('1 of 3 messages').waitFor()
      await page.getByLabel('Search the log').fill('')
      await page.getByLabel('Server sends from').selectOption('error')
      await expect.poll(() => page.getByLabel('Server sends from').inputValue()).toBe('error')
      await count()
      await page.getByRole('status').getByText('3 messages', { exact: true }).waitFor()
      expect(visit.complaints).toEqual([])
    },
  )

  describe('the console', () => {
    test('shows what servers log as text, with its level, and follows the end unless somebody scrolls', async () => {
      await using server = await serveLogs()
      await using visit = await Visit.begin({
        servers: [{ kind: 'url', name: 'talker', url: server.url, revision: '2025-11-25' }],
      })
      const { page } = visit
      const log = page.getByRole('log', { name: 'Log messages' })
      const say = async (level: string, count: number): Promise<void> => {
        await visit.find('say')
        await page.getByRole('combobox', { name: 'level' }).selectOption(level)
        await page.getByRole('textbox', { name: 'count' }).fill(String(count))
        await page.getByRole('button', { name: 'Call tool' }).click()
        await page.getByRole('region', { name: 'Result' }).getByRole('status').getByText('done').waitFor()
        await visit.find('talker Server')
        await page.getByRole('tab', { name: 'Log' }).click()
      }
      await page.getByRole('link', { name: 'say' }).waitFor()
      await visit.find('talker Server')
      await page.getByRole('tab', { name: 'Log' }).click()
      await page.getByLabel('Server sends from').selectOption('debug')
      await expect.poll(() => page.getByLabel('Server sends from').inputValue()).toBe('debug')
      await say('debug', 3)
      await say('emergency', 2)
      await say('warning', 60)
      await log.getByText('warning <b>number</b> 60⟨U+202E⟩').waitFor()
      const fromEnd = (): Promise<number> =>
        log.evaluate((node) => Math.round(node.scrollHeight - node.scrollTop - node.clientHeight))
      await expect.poll(fromEnd).toBeLessThan(24)
      await page.getByLabel('Show from').selectOption('error')
      await page.getByRole('status').getByText('2 of 65 messages').waitFor()
      expect(await log.locator('[data-level="emergency"] .badge.danger').count()).toBe(2)
      await page.getByLabel('Show from').selectOption('debug')
      await expect.poll(fromEnd).toBeLessThan(24)
      expect(await barriers(page, 'log')).toEqual([])
      await log.evaluate((node) => node.scrollTo({ top: 0 }))
      await expect.poll(() => log.evaluate((node) => node.scrollTop)).toBe(0)
      // Another page makes the server log more, while this one looks at the beginning.
      const other = await page.context().newPage()
      await other.goto(`${new URL(page.url()).origin}/#/tools`)
      await other.getByRole('link', { name: 'say' }).click()
      await other.getByRole('combobox', { name: 'level' }).selectOption('warning')
      await other.getByRole('textbox', { name: 'count' }).fill('10')
      await other.getByRole('button', { name: 'Call tool' }).click()
      await page.getByRole('status').getByText('75 messages').waitFor()
      expect(await log.evaluate((node) => node.scrollTop)).toBe(0)
      expect(visit.complaints).toEqual([])
    })
  })
})
