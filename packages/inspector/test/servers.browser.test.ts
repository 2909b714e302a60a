import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { expect, test } from 'vitest'
import { inBrowser, Visit } from './browser.suite.ts'
import { everything } from './workbench-in-test.suite.ts'

const { command, args } = everything as { command: string; args: string[] }

inBrowser('servers in the browser', () => {
  test('a person adds a server by its command, reads what would start, and starts it', async () => {
    await using visit = await Visit.begin({})
    const { page } = visit
    await page.getByRole('heading', { name: 'Add a server' }).waitFor()
    await page.getByRole('textbox', { name: 'Command' }).fill(`${command} ${args[0]}`)
    await page.getByLabel('Environment variables').fill('COLOUR=teal')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Start this program?' })
    await dialog.getByText(args[0]!).waitFor()
    await dialog.getByText('COLOUR=teal').waitFor()
    expect(
      await dialog.getByRole('button', { name: 'Do not start' }).evaluate((node) => node === document.activeElement),
    ).toBe(true)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('status').getByText('not connected').waitFor()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await dialog.getByRole('button', { name: 'Start the program' }).click()
    await page.getByRole('status').getByText('connected', { exact: true }).waitFor()
    await page.getByText('everything 0.1.0').waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('lint finds faults of a server, marks them in its lists, and knows what calls did and what has changed', async () => {
    const link = { type: 'resource_link', name: 'page', uri: 'https://example.com/page' } as const
    const remove = (description: string) =>
      tool({
        name: 'notes.delete',
        description,
        annotations: { readOnlyHint: true, openWorldHint: false },
        input: { type: 'object', properties: { ids: { type: 'array' } } },
        run: () => ({ content: [link] }),
      })
    const server = createServer({ name: 'notes', version: '1.0.0', tools: [remove('Deletes notes.')] })
    await using http = await serveHttp(server, { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'notes', url: http.url }] })
    const { page } = visit
    const marked = page.getByRole('link', { name: /notes\.delete.*3 findings of lint, the worst an error/ })
    await marked.click()
    await page.getByRole('button', { name: 'Call tool' }).click()
    await page.getByRole('link', { name: /notes\.delete.*4 findings of lint/ }).waitFor()
    await page.locator('.lint-details > summary').click()
    await page.locator('.lint-details [data-rule="call-contradicts"]').getByText('https://example.com/page').waitFor()

    await page.getByRole('main').getByRole('link', { name: 'notes', exact: true }).click()
    const lint = page.getByRole('region', { name: 'Lint' })
    await lint.locator('[data-rule="schema-items"]').getByText('Google', { exact: true }).waitFor()
    await lint.getByText(/Its tool takes about \d+ tokens/).waitFor()
    await lint.getByRole('combobox', { name: 'Providers of models' }).selectOption('anthropic')
    await lint.locator('[data-rule="schema-items"]').waitFor({ state: 'detached' })

    server.tools.remove('notes.delete')
    server.tools.add(remove('Deletes notes for good.'))
    const changed = lint.locator('[data-rule="definition-changed"]')
    await changed.getByText('The lines that differ').click()
    await changed.getByText('+   "description": "Deletes notes for good."').waitFor()
    await lint.getByRole('button', { name: 'Mark changes as seen' }).click()
    await changed.waitFor({ state: 'detached' })
    expect(visit.complaints).toEqual([])
  })

  test('a server meets the workbench as another application, with its name, features, revision and limits', async () => {
    const server = createServer({
      name: 'notes',
      version: '1.0.0',
      tools: [tool({ name: 'n'.repeat(60), run: () => '' })],
    })
    await using http = await serveHttp(server, { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'my notes', url: http.url }] })
    const { page } = visit
    await visit.find('my notes Server')
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByText('More settings').click()
    await page.getByLabel('As', { exact: true }).selectOption('VS Code')
    await page.getByRole('checkbox', { name: 'Sampling' }).uncheck()
    await page.getByLabel('Timeout').fill('abc')
    await page.getByRole('button', { name: 'Save and reconnect' }).click()
    await page.getByText('Expected a number of seconds').waitFor()
    await page.getByLabel('Timeout').fill('300')
    await page.getByRole('button', { name: 'Save and reconnect' }).click()
    await page.getByRole('tab', { name: 'Overview' }).click()
    await page.getByRole('region', { name: 'Connection' }).getByText('2025-11-25').waitFor()
    const there = page.getByRole('region', { name: 'Tools in VS Code' })
    await there.getByText(`mcp_my_notes_${'n'.repeat(60)}`).waitFor()
    await there.getByText('1 name is too long').waitFor()
    await visit.goTo('timeline', { q: 'method:initialize kind:request' })
    await page.getByRole('option').first().click()
    const sent = page.getByRole('region', { name: 'Message' })
    await sent.getByText('Visual Studio Code').first().waitFor()
    expect(await sent.textContent()).toContain('elicitation')
    expect(await sent.textContent()).not.toContain('sampling')
    expect(visit.complaints).toEqual([])
  })

  test('a server that cannot be reached says why, step by step', async () => {
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'nobody', url: 'http://127.0.0.1:9/mcp' }] })
    const { page } = visit
    await page.getByRole('link', { name: /nobody/ }).click()
    await page.getByRole('alert').getByText('ECONNREFUSED').waitFor()
    await page.getByRole('tab', { name: 'Diagnosis' }).click()
    await page.locator('[data-step="tcp"].failed').getByText('Is the server running').waitFor()
    expect(await page.locator('[data-step="url"]').getAttribute('class')).toContain('ok')
    expect(await page.locator('[data-step="version"]').getAttribute('class')).toContain('skipped')
  })

  test('what a process writes to standard error is shown, with its escapes made harmless', async () => {
    const script = `console.error('\\u001b[31mbad\\u001b[0m \\u001b]0;title\\u0007 <b>news</b>'); process.exit(1)`
    const spec = { kind: 'command' as const, name: 'loud', command: process.execPath, args: ['-e', script] }
    await using visit = await Visit.begin({ servers: [spec] })
    const { page } = visit
    await page.getByRole('link', { name: /loud/ }).click()
    await page.getByRole('tab', { name: 'Output' }).click()
    await page.getByRole('log').getByText('bad ␛]0;title␇ <b>news</b>').first().waitFor()
  })

  test('secrets are not shown before somebody asks, and survive a change', async () => {
    const spec = { ...everything, env: { API_KEY: 'a-secret-value' } }
    await using visit = await Visit.begin({ servers: [spec] })
    const { page } = visit
    await page
      .getByRole('link', { name: /everything/ })
      .first()
      .click()
    await page.getByRole('tab', { name: 'Settings' }).click()
    const env = page.getByLabel('Environment variables')
    expect(await env.inputValue()).toBe('API_KEY=••••••••')
    await page.getByLabel('Name', { exact: true }).fill('renamed')
    await page.getByRole('button', { name: 'Save and reconnect' }).click()
    // The agreement is about the program and not the name, so it starts again.
    await page.getByRole('link', { name: /renamed/ }).waitFor()
    await page.getByRole('button', { name: 'Show secrets' }).click()
    await expect.poll(() => env.inputValue()).toBe('API_KEY=a-secret-value')
  })

  test('settings are pasted from another application', async () => {
    await using visit = await Visit.begin({})
    const { page } = visit
    await page.getByRole('tab', { name: 'Paste' }).click()
    await page.getByRole('textbox').fill(JSON.stringify({ mcpServers: { mine: { command, args } } }))
    await page.getByRole('button', { name: 'Find servers' }).click()
    await page.getByRole('region', { name: 'Pasted text' }).getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start the program' }).click()
    await page.getByRole('status').getByText('connected', { exact: true }).waitFor()
  })

  test('the page says when the workbench has ended', async () => {
    await using visit = await Visit.begin({})
    await visit.inspector.close()
    await visit.page.getByText('The workbench does not answer').waitFor()
  })

  test('a browser without the link sees nothing', async () => {
    await using visit = await Visit.begin({ servers: [everything] })
    await visit.page.context().clearCookies()
    await visit.page.reload()
    await visit.page.getByRole('heading', { name: 'The workbench is locked' }).waitFor()
    expect(await visit.page.content()).not.toContain('everything')
  })
})
