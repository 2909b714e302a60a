import { serveHttp } from '@tenon/sdk/node'
import { createServer, type Server, tool } from '@tenon/sdk/server'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startStandIn } from '../../host/test/models/stand-in.suite.ts'
import { wires } from '../../host/test/models/wires.suite.ts'
import { inBrowser, Visit } from './browser.suite.ts'
import { everything } from './workbench-in-test.suite.ts'

/** Writes a message, and gives the place of the answer. */
async function write(page: Page, text: string): Promise<Locator> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
  return page.locator('.turn').last()
}

const hostile =
  '<img src=x onerror="alert(1)"> [press](javascript:alert(2)) [out](https://example.com/?q=1) ![p](https://example.com/p.png)'

const hostileServer = (): Server =>
  createServer({
    name: 'hostile',
    version: '1.0.0',
    tools: [tool({ name: 'tell', description: '<b>Tells</b>', run: () => hostile })],
  })

inBrowser('the Playground', () => {
  test('a newcomer without a key: consent inline, the tool call as a card that leads to its messages', async () => {
    await using visit = await Visit.begin({ servers: [everything] })
    const { page } = visit
    await page.getByRole('link', { name: 'Divide' }).waitFor()
    await page.getByRole('link', { name: 'Playground' }).click()
    await page.getByRole('button', { name: 'Please add 19 and 23' }).click()
    const card = page.getByRole('region', { name: 'Tool call add' })
    await card.getByText('waits for you').waitFor()
    await card.getByRole('button', { name: 'Edit arguments' }).click()
    const box = card.getByLabel('Arguments')
    await box.fill('{"a": 19, ')
    expect(await card.getByRole('button', { name: 'Allow once' }).isDisabled()).toBe(true)
    await box.fill('{"a": 20, "b": 22}')
    // The question is answered where it is asked, and not over the corner as well.
    expect(await page.getByRole('complementary', { name: 'A server asks' }).count()).toBe(0)
    await card.getByRole('button', { name: 'Allow once' }).click()
    const answer = page.getByRole('region', { name: 'Answer of offline' })
    await answer.getByText(/answered · 2 steps/).waitFor()
    expect(await card.getByText('Arguments {"a":20,"b":22}').count()).toBe(1)
    await expect.poll(() => answer.locator('.markdown').textContent()).toContain('42')
    await card.getByRole('link', { name: 'Messages' }).click()
    await page.getByRole('listbox', { name: 'Messages, 2 in all' }).waitFor()
    await page
      .getByRole('option', { name: /tools\/call/ })
      .first()
      .waitFor()
    expect(visit.complaints).toEqual([])
    expect(visit.outside).toEqual([])
  })

  test('forms, pages and views of the server are inside the conversation, in which a tool can be allowed for all calls', async () => {
    await using visit = await Visit.begin({ servers: [everything] })
    const { page } = visit
    await page.getByRole('link', { name: 'Divide' }).waitFor()
    await visit.goTo('playground')
    await write(page, 'plan_trip Kyoto')
    const card = page.getByRole('region', { name: 'Tool call plan_trip' })
    await card.getByRole('button', { name: 'Allow in this conversation' }).click()
    await card.getByLabel('Your name').fill('Ada')
    await card.getByLabel('Your email').fill('ada@example.com')
    await card.getByLabel('First day').fill('2027-04-01')
    expect(await page.getByRole('complementary', { name: 'A server asks' }).count()).toBe(0)
    await card.getByRole('button', { name: 'Send answer' }).click()
    await card.getByText('done', { exact: true }).waitFor()
    await page.getByText(/answered · 2 steps/).waitFor()
    const second = await write(page, 'plan_trip Oslo')
    await second.getByRole('button', { name: 'Decline' }).click()
    await second.getByText('failed', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Send' }).waitFor()

    const third = await write(page, 'open_page')
    await third.getByRole('button', { name: 'Allow once' }).click()
    await third.getByRole('link', { name: 'Open the page' }).waitFor()
    await third.getByRole('button', { name: 'Decline' }).click()
    await page.getByRole('button', { name: 'Send' }).waitFor()

    const fourth = await write(page, 'show_color name=teal')
    await fourth.getByRole('button', { name: 'Allow once' }).click()
    const view = fourth.getByRole('region', { name: 'View' })
    await view.frameLocator('iframe').frameLocator('iframe').getByText('teal').first().waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('text of a server stays text: no markup, no links but to the web, nothing is loaded', async () => {
    await using http = await serveHttp(hostileServer(), { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'hostile', url: http.url }] })
    const { page } = visit
    await page.locator('.list-item').waitFor()
    await visit.goTo('playground')
    const turn = await write(page, 'tell')
    await turn.getByRole('button', { name: 'Allow once' }).click()
    await turn.getByText(/answered · 2 steps/).waitFor()
    const words = turn.locator('.answer > .markdown')
    expect(await words.textContent()).toContain('<img src=x onerror="alert(1)">')
    expect(await words.textContent()).toContain('[press](javascript:alert(2))')
    expect(await turn.locator('img').count()).toBe(0)
    const links = await words
      .locator('a')
      .evaluateAll((all) => all.map((link) => [link.getAttribute('href'), link.getAttribute('rel')]))
    expect(links).toEqual([['https://example.com/?q=1', 'noopener noreferrer']])
    expect(visit.complaints).toEqual([])
    expect(visit.outside).toEqual([])
  })

  test('two models side by side; a message is changed and run again; an answer becomes an eval case; the key stays in the backend', async () => {
    const { say } = wires['OpenAI-compatible chat completions']!
    const standIn = await startStandIn([say('**Hello** there'), say('Something else')])
    await using http = await serveHttp(hostileServer(), { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'hostile', url: http.url }] })
    const { page } = visit
    const seen: Promise<string>[] = []
    page.on('response', (response) => {
      if (/\/api\/playground\./.test(response.url())) seen.push(response.text())
    })
    await page.locator('.list-item').waitFor()
    await visit.goTo('playground')
    const model = `${standIn.url}/v1#tiny`
    await page.getByText('Model:').click()
    await page.getByLabel('Second model').fill('scripted:/etc/passwd')
    await page.getByRole('button', { name: 'Use', exact: true }).click()
    await page.getByText(/model: expected offline/).waitFor()
    await page.getByLabel('Second model').fill(model)
    await page.getByRole('button', { name: 'Use', exact: true }).click()
    await page.getByLabel(`Key of ${model}`).fill('secret-key')
    await page.getByRole('button', { name: 'Keep the key' }).click()
    await page.getByText(`Kept with the secrets: ${standIn.url}.`).waitFor()
    await page.getByText('Models:').click()

    const turn = await write(page, 'Hello?')
    const second = turn.getByRole('region', { name: `Answer of ${model}` })
    await second.locator('strong', { hasText: 'Hello' }).waitFor()
    await turn.getByRole('region', { name: 'Answer of offline' }).getByText('This is a script').waitFor()
    const [left, right] = await Promise.all(
      ['offline', model].map((name) => turn.getByRole('region', { name: `Answer of ${name}` }).boundingBox()),
    )
    expect(left!.x + left!.width).toBeLessThanOrEqual(right!.x)
    await second.getByRole('button', { name: 'Save as eval case' }).click()
    const dialog = page.getByRole('dialog', { name: 'Eval case' })
    await dialog.getByText('As a file for tenon eval').click()
    await dialog.getByText('prompt: Hello?').waitFor()
    expect(await dialog.textContent()).toContain('tenonEvals: 1')
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await turn.getByRole('button', { name: 'Edit', exact: true }).click()
    await turn.getByLabel('Your message, changed').fill('Goodbye')
    await turn.getByRole('button', { name: 'Run from here' }).click()
    await page.getByText('Something else').waitFor()
    expect(await page.locator('.turn').count()).toBe(1)
    expect(JSON.stringify(standIn.requests[1]!.body.messages)).not.toContain('Hello')
    expect(standIn.requests.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill('Bearer secret-key'))

    await page.reload()
    await page.getByText('Something else').waitFor()
    expect(await page.content()).not.toContain('secret-key')
    expect((await Promise.all(seen)).join()).not.toContain('secret-key')
    expect(visit.complaints).toEqual([expect.stringContaining('422')])
    expect(visit.outside).toEqual([])
  })
})
