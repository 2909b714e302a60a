import { serveHttp } from '@tenon/sdk/node'
import { createServer, prompt, resource, resourceTemplate, type Server, tool } from '@tenon/sdk/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { barriers } from './axe.suite.ts'
import { inBrowser, Visit } from './browser.suite.ts'
import { everything } from './workbench-in-test.suite.ts'

const shop = (price: string): Server =>
  createServer({ name: 'shop', version: '1.0.0', tools: [tool({ name: 'price', run: () => price })] })

const whoSchema = z.object({ who: z.string() })

inBrowser('side by side in the browser', () => {
  test('a person makes the same call in two revisions, and sees what differs', async () => {
    await using visit = await Visit.begin({ servers: [everything] })
    const { page } = visit
    await page.getByRole('link', { name: 'Describe this connection' }).click()
    await page.getByText('Side by side, in two revisions or on two servers').click()
    await page.getByRole('group', { name: 'Right' }).getByLabel('Revision').selectOption('2025-06-18')
    await page.getByRole('button', { name: 'Call on both' }).click()
    const different = page.getByRole('region', { name: 'Differences' })
    const row = different.getByRole('row', { name: /structuredContent\.revision/ })
    await row.getByText('"2026-07-28"').waitFor()
    await row.getByText('"2025-06-18"').waitFor()
    await page.getByRole('region', { name: 'Result, right' }).getByText('"2025-06-18"').first().waitFor()
    await row.scrollIntoViewIfNeeded()
    expect(await barriers(page, 'side-by-side')).toEqual([])

    await visit.find('echo')
    await page.getByRole('textbox', { name: /^message/ }).fill('the same')
    await page.getByText('Side by side, in two revisions or on two servers').click()
    await page.getByRole('button', { name: 'Call on both' }).click()
    await page.getByText('Both answered the same').waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('a resource, one of a template and a prompt are compared too', async () => {
    const say = (words: string): Server =>
      createServer({
        name: 'notes',
        version: '1.0.0',
        resources: [
          resource({ uri: 'note:///one', name: 'one', read: () => `${words} one` }),
          resourceTemplate({
            uriTemplate: 'note:///of/{who}',
            name: 'of',
            read: ({ variables }) => `${words} of ${variables.who}`,
          }),
        ],
        prompts: [prompt({ name: 'ask', arguments: whoSchema, run: ({ who }) => `${words} for ${who}` })],
      })
    await using first = await serveHttp(say('old'), { port: 0 })
    await using second = await serveHttp(say('new'), { port: 0 })
    await using visit = await Visit.begin({
      servers: [
        { kind: 'url', name: 'left', url: first.url },
        { kind: 'url', name: 'right', url: second.url },
      ],
    })
    const { page } = visit
    const compare = async (path: RegExp, words: string): Promise<void> => {
      await page.getByText('Side by side, in two revisions or on two servers').click()
      await page.getByRole('group', { name: 'Right' }).getByLabel('Server').selectOption('right')
      await page.getByRole('button', { name: 'Call on both' }).click()
      const row = page.getByRole('row', { name: path })
      await row.getByText(`"old ${words}"`).waitFor()
      await row.getByText(`"new ${words}"`).waitFor()
      await page.getByRole('region', { name: 'Result, right' }).getByText(`new ${words}`).first().waitFor()
    }
    await visit.goTo('resources')
    await page.getByRole('region', { name: 'left' }).getByRole('link', { name: /^one/ }).click()
    await compare(/contents\[0\]\.text/, 'one')
    await visit.goTo('resources')
    await page.getByRole('region', { name: 'left' }).getByRole('link', { name: /^of/ }).click()
    await page.getByLabel('who').fill('Ada')
    await compare(/contents\[0\]\.text/, 'of Ada')
    expect(await barriers(page, 'compared-resource')).toEqual([])
    await visit.goTo('prompts')
    await page.getByRole('region', { name: 'left' }).getByRole('link', { name: /^ask/ }).click()
    await page.getByLabel('who').fill('Ada')
    await compare(/messages\[0\]\.content\.text/, 'for Ada')
    expect(visit.complaints).toEqual([])
  })

  test('a person compares two servers, of which one is gone', async () => {
    await using old = await serveHttp(shop('3 €'), { port: 0 })
    const fresh = await serveHttp(shop('4 €'), { port: 0 })
    await using visit = await Visit.begin({
      servers: [
        { kind: 'url', name: 'old shop', url: old.url },
        { kind: 'url', name: 'new shop', url: fresh.url },
      ],
    })
    const { page } = visit
    await page.getByRole('region', { name: 'old shop' }).getByRole('link', { name: 'price' }).click()
    await page.getByText('Side by side, in two revisions or on two servers').click()
    const right = page.getByRole('group', { name: 'Right' })
    await right.getByLabel('Server').selectOption('new shop')
    await right.getByLabel('Revision').selectOption('as the server is set up')
    await page.getByRole('button', { name: 'Call on both' }).click()
    const row = page.getByRole('row', { name: /content\[0\]\.text/ })
    await row.getByText('"3 €"').waitFor()
    await row.getByText('"4 €"').waitFor()
    await fresh.close()
    await page.getByRole('button', { name: 'Call on both' }).click()
    await page.getByText('One answered, the other did not').waitFor()
    await page.getByRole('region', { name: 'Result, right' }).getByRole('alert').waitFor()
  })
})
