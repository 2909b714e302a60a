import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, prompt, resourceTemplate, type Server, tool } from '@tenon/sdk/server'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { barriers } from './axe.suite.ts'
import { inBrowser, textIn, Visit } from './browser.suite.ts'
import { recordingProxy } from './recording-proxy.suite.ts'

const input = {
  type: 'object',
  properties: {
    count: { type: 'integer' },
    free: {},
    list: { type: 'array', items: { type: 'number' } },
    text: { type: 'string' },
    sure: { type: 'boolean' },
    tags: { type: 'array', items: { enum: ['a', 'b'] } },
  },
}

const question = { type: 'object', properties: { day: { type: 'string' }, hours: { type: 'number' } } } as const

const server = (): Server =>
  createServer({
    name: 'editors',
    version: '1.0.0',
    tools: [
      tool({ name: 'take', input, run: () => 'taken' }),
      tool({
        name: 'ask',
        run: async (_, ctx) => JSON.stringify(await ctx.elicit('Which day?', question)),
      }),
    ],
    prompts: [
      prompt({
        name: 'greet',
        arguments: { type: 'object', properties: { who: { type: 'string' } } },
        run: () => 'Hello',
      }),
    ],
    resources: [
      resourceTemplate({ uriTemplate: 'note:///{id}', name: 'note', read: ({ uri }) => uri }),
      resourceTemplate({ uriTemplate: 'other:///{id}', name: 'other', read: () => 'other' }),
    ],
  })

interface Received {
  method?: string
  [name: string]: unknown
}

const calls = new Set(['tools/call', 'prompts/get', 'resources/read', 'completion/complete'])

/** A workbench with one server, of which everything is known that it was sent. */
class Desk implements AsyncDisposable {
  readonly visit: Visit
  readonly page: Page
  readonly server: Server
  /** The folder of saved calls. */
  readonly folder: string
  readonly #received: readonly Received[]
  readonly #commands: string[] = []
  readonly #end: () => Promise<void>

  private constructor(
    visit: Visit,
    served: Server,
    folder: string,
    received: readonly Received[],
    end: () => Promise<void>,
  ) {
    this.visit = visit
    this.server = served
    this.page = visit.page
    this.folder = folder
    this.#received = received
    this.#end = end
    this.page.on('request', (request) => this.#commands.push(new URL(request.url()).pathname.replace('/api/', '')))
  }

  static async open(): Promise<Desk> {
    const served = server()
    const http = await serveHttp(served, { port: 0 })
    const proxy = await recordingProxy(http.url)
    const folder = await mkdtemp(join(tmpdir(), 'editors-'))
    const servers = [{ kind: 'url' as const, name: 'editors', url: proxy.url, revision: '2025-06-18' as const }]
    const visit = await Visit.begin({ servers, calls: folder })
    const end = async (): Promise<void> => {
      for (const part of [visit, proxy, http]) await part[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    }
    await visit.page.getByRole('link', { name: 'take' }).waitFor()
    return new Desk(visit, served, folder, proxy.received, end)
  }

  /** The requests to the server, and the commands of the page that call, answer or change something. */
  get sent(): { messages: unknown[]; commands: string[] } {
    const told = ({ method, params, result }: Received): unknown =>
      method === undefined ? result : calls.has(method) ? withoutMeta(params) : undefined
    return {
      messages: this.#received.map(told).filter((message) => message !== undefined),
      commands: this.#commands.filter((name) =>
        /\.(?:start|answer|put|write|run|add|update|setRoots|parse)$/.test(name),
      ),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end()
  }
}

function withoutMeta(params: unknown): unknown {
  const { _meta: _, ...rest } = params as { _meta?: unknown }
  return rest
}

/** Types something broken, tries to send it, and reads the text beside the field. */
async function expectRefusal(
  field: Locator,
  broken: string,
  problem: RegExp,
  tryIt: () => Promise<void>,
): Promise<void> {
  await field.fill(broken)
  await tryIt()
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  const described = (await field.getAttribute('aria-describedby')) ?? ''
  const words = await Promise.all(
    described.split(' ').map((id) => field.page().locator(`[id="${id}"]`).textContent({ timeout: 100_000 })),
  )
  expect(words.join(' ')).toMatch(problem)
  expect(await textIn(field)).toBe(broken)
}

inBrowser('nothing is sent but what is shown', () => {
  test('arguments of a tool as JSON', async () => {
    await using desk = await Desk.open()
    const { page, visit } = desk
    await page.getByRole('link', { name: 'take' }).click()
    await page.getByRole('button', { name: 'JSON' }).click()
    const json = page.getByLabel('Arguments as JSON')
    await json.fill('{ "count": 1 }')
    const call = page.getByRole('button', { name: 'Call tool' })
    const tryIt = async (): Promise<void> => {
      await call.click()
      await page.keyboard.press('Control+Enter')
      await page.getByText('This cannot be sent.').waitFor()
    }
    const broken: [string, RegExp][] = [
      ['{ "count": 2', /No JSON yet/],
      ['{ "count": 0.12345678901234567890 }', /would be sent as 0.12345678901234568/],
      ['{ "count": 1, "count": 2 }', /there twice/],
      ['[1]', /Expected a JSON object/],
      ['', /Expected a JSON object/],
    ]
    for (const [text, problem] of broken) await expectRefusal(json, text, problem, tryIt)
    // Nor is it compared or saved, and it is still there after navigation.
    await page.getByText('Side by side, in two revisions').click()
    expect(await page.getByRole('button', { name: 'Call on both' }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Save this call' }).isDisabled()).toBe(true)
    await json.fill('{ "count": 3')
    await visit.find('Tool of editors ask')
    await page.getByRole('heading', { name: 'ask' }).waitFor()
    await visit.find('Tool of editors take')
    await expect.poll(() => textIn(json)).toBe('{ "count": 3')
    expect(await page.locator('[data-call]').count()).toBe(0)
    await json.fill('{ "count": 4, "text": 5, "tags": ["b", "a"], "more": true }')
    const panel = await visit.press('Call tool')
    await expect.poll(() => panel.getAttribute('aria-busy')).toBe('false')
    const once = { name: 'take', arguments: { count: 4, text: 5, tags: ['b', 'a'], more: true } }
    expect(desk.sent).toEqual({ messages: [once], commands: ['call.start'] })
    // As a form it shows every one of these, also those that no field is made for.
    await page.getByRole('button', { name: 'JSON' }).click()
    const form = page.getByRole('group', { name: 'Arguments' })
    expect(await textIn(form.getByLabel('text', { exact: true }))).toBe('5')
    expect(await textIn(form.getByLabel('more', { exact: true }))).toBe('true')
    expect(await textIn(form.getByRole('group', { name: 'tags' }).getByRole('textbox'))).toContain('"b"')
    expect(visit.complaints).toEqual([])
  })

  test('the editor completes and marks by the schema, folds and searches, and Escape and Tab lead out of it', async () => {
    await using desk = await Desk.open()
    const { page, visit } = desk
    await page.getByRole('link', { name: 'take' }).click()
    await page.getByRole('button', { name: 'JSON' }).click()
    const json = page.locator('.cm-content[aria-label="Arguments as JSON"]')
    await json.fill('')
    await json.pressSequentially('{"su')
    const list = page.getByRole('listbox', { name: 'Completions' })
    await list.getByRole('option', { name: /^"sure"/ }).waitFor()
    await page.keyboard.press('Enter')
    // The values of the name are suggested at once.
    await list.getByRole('option', { name: 'true' }).waitFor()
    await page.keyboard.press('Tab')
    await expect.poll(() => textIn(json)).toBe('{"sure": true}')

    const typed = '{\n    "count": 12345678901234567890.5e0,\n    "text": 7 }'
    await json.fill(typed)
    await page.locator('.cm-lintRange-error').filter({ hasText: '12345678901234567890.5e0' }).waitFor()
    await json.fill(typed.replace('.5e0', ''))
    await page.locator('.cm-lintRange-warning').filter({ hasText: '7' }).waitFor()
    expect(await page.locator('.cm-lintRange-error').count()).toBe(0)
    expect(await page.locator('.code-number').first().textContent()).toBe('12345678901234567890')
    // The text is the one that was typed, also after another look at it.
    await visit.find('Tool of editors ask')
    await page.getByRole('heading', { name: 'ask' }).waitFor()
    await visit.find('Tool of editors take')
    await page.getByRole('button', { name: 'JSON' }).click()
    await expect.poll(() => textIn(json)).toBe(typed.replace('.5e0', ''))
    await expect.poll(() => page.locator('.cm-lineNumbers .cm-gutterElement').last().textContent()).toBe('3')

    await json.focus()
    await page.keyboard.press('Control+f')
    await page.getByRole('textbox', { name: 'Find' }).pressSequentially('count')
    await page.locator('.cm-searchMatch').filter({ hasText: 'count' }).waitFor()
    expect(await barriers(page, 'editor')).toEqual([])
    await page.keyboard.press('Escape')
    await page.locator('.cm-foldGutter [title="Fold line"]').first().click()
    await page.locator('.cm-foldPlaceholder').waitFor()

    await json.focus()
    await page.keyboard.press('Tab')
    expect(await json.evaluate((node) => node === document.activeElement)).toBe(true)
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Escape')
    await page.getByText('Tab leaves the editor', { exact: true }).waitFor()
    await page.keyboard.press('Tab')
    expect(await json.evaluate((node) => node === document.activeElement)).toBe(false)
    expect(desk.sent).toEqual({ messages: [], commands: [] })
    expect(visit.complaints).toEqual([])
  })

  test('a list that is read again takes neither the focus nor the text from the editor', async () => {
    await using desk = await Desk.open()
    const { page, visit } = desk
    await page.getByRole('link', { name: 'take' }).click()
    await page.getByRole('button', { name: 'JSON' }).click()
    const json = page.locator('.cm-content[aria-label="Arguments as JSON"]')
    await json.fill('{ "count": ')
    desk.server.tools.add(tool({ name: 'later', run: () => 'later' }))
    await page.getByRole('link', { name: 'later' }).waitFor()
    await page.keyboard.type('4')
    expect(await textIn(json)).toMatch(/^\{ "count": 4/)
    expect(visit.complaints).toEqual([])
  })

  test('text that replaces coloured text takes none of its styles, which the policy of the page would refuse', async () => {
    await using desk = await Desk.open()
    const { page, visit } = desk
    await page.getByRole('link', { name: 'take' }).click()
    await page.getByRole('button', { name: 'JSON' }).click()
    const json = page.locator('.cm-content[aria-label="Arguments as JSON"]')
    for (let round = 0; round < 25; round++)
      for (const text of ['{ "count": 4, "sure": true }', '"a"', '{\n  "text": 7 }']) {
        await json.fill(text)
        await page.locator('.code-name, .code-string').first().waitFor()
        expect(await textIn(json)).toBe(text)
      }
    expect(visit.complaints).toEqual([])
  })

  test('fields of a tool', async () => {
    await using desk = await Desk.open()
    const { page, visit } = desk
    await page.getByRole('link', { name: 'take' }).click()
    const form = page.getByRole('group', { name: 'Arguments' })
    const tryIt = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Call tool' }).click()
      await page.getByText('This cannot be sent.').waitFor()
    }
    const count = form.getByLabel('count', { exact: true })
    await count.fill('1')
    for (const text of ['1e', 'many', '1e400', '1.2345678901234567890'])
      await expectRefusal(count, text, /Expected a number|cannot be sent/, tryIt)
    // As JSON it is the same text, and as broken.
    await page.getByRole('button', { name: 'JSON' }).click()
    expect(await textIn(page.getByLabel('Arguments as JSON'))).toContain('1.2345678901234567890')
    await tryIt()
    await page.getByLabel('Arguments as JSON').fill('{ "count": 1 }')
    await page.getByRole('button', { name: 'JSON' }).click()
    await expectRefusal(form.getByLabel('free', { exact: true }), '[1,', /No JSON yet/, tryIt)
    await form.getByLabel('free', { exact: true }).fill('[1, 2]')
    await form.getByRole('button', { name: 'Add to list' }).click()
    const item = form.getByRole('group', { name: 'list' }).getByRole('textbox')
    await expectRefusal(item, '1,5', /Expected a number/, tryIt)
    await item.fill('1.5')
    await visit.press('Call tool').then((panel) => panel.getByText('done').waitFor())
    const once = { name: 'take', arguments: { count: 1, free: [1, 2], list: [1.5] } }
    expect(desk.sent).toEqual({ messages: [once], commands: ['call.start'] })
  })

  test('arguments of a prompt, and the gaps of a template: what is shown is sent, suggested for and saved', async () => {
    await using desk = await Desk.open()
    const { page, visit } = desk
    await visit.find('Prompt of editors greet')
    const who = page.getByLabel('who')
    await who.fill('Ada')
    await visit.press('Get prompt').then((panel) => panel.getByText('done').waitFor())
    await who.fill('Grace')
    await page.getByRole('button', { name: 'Save this call' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save this call' })
    await dialog.getByLabel('Its title').fill('Greetings')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => textIn(page.getByLabel('Request'))).toContain('"Grace"')
    expect(await readFile(join(desk.folder, 'greetings.yaml'), 'utf8')).not.toContain('Ada')

    await visit.goTo('resources')
    await page.getByRole('link', { name: /^note/ }).click()
    await page.getByLabel('id').fill('a b')
    await page.getByText('note:///a%20b').waitFor()
    await visit.press('Read').then((panel) => panel.getByText('done').waitFor())
    const { messages } = desk.sent
    expect(messages).toContainEqual({ name: 'greet', arguments: { who: 'Ada' } })
    expect(messages).toContainEqual({ uri: 'note:///a%20b' })
    expect(messages).not.toContainEqual({ name: 'greet', arguments: { who: 'Grace' } })
  })

  test('the answer to a form', async () => {
    await using desk = await Desk.open()
    const { page, visit } = desk
    await visit.find('Tool of editors ask')
    await page.getByRole('button', { name: 'Call tool' }).click()
    const card = page.locator('[data-question="form"]')
    const tryIt = async (): Promise<void> => {
      await card.getByRole('button', { name: 'Send answer' }).click()
      await card.getByText('This cannot be sent.').waitFor()
    }
    await expectRefusal(card.getByRole('textbox', { name: 'hours' }), 'two', /Expected a number/, tryIt)
    await card.getByRole('textbox', { name: 'hours' }).fill('2')
    await card.getByRole('button', { name: 'JSON' }).click()
    const json = card.getByLabel('Your answer as JSON')
    await expectRefusal(json, '{ "day": "friday"', /No JSON yet/, tryIt)
    await json.fill('{ "day": "sunday" }')
    await card.getByRole('button', { name: 'Send answer' }).click()
    await page.getByRole('region', { name: 'Result', exact: true }).getByText('done').waitFor()
    expect(desk.sent).toEqual({
      messages: [
        { name: 'ask', arguments: {} },
        { action: 'accept', content: { day: 'sunday' } },
      ],
      commands: ['call.start', 'question.answer'],
    })
  })

  test('a request that is sent again', async () => {
    await using desk = await Desk.open()
    const { page, visit } = desk
    await page.getByRole('link', { name: 'take' }).click()
    await visit.press('Call tool').then((panel) => panel.getByText('done').waitFor())
    await visit.goTo('timeline')
    const row = (method: string): Locator => page.locator('.row-line.request').filter({ hasText: method }).first()
    await row('tools/list').click()
    await page.getByText('Change and send again').click()
    await page.getByLabel('Parameters of tools/list').fill('{ "cursor": ')
    // Another request brings its own parameters.
    await row('tools/call').click()
    const params = page.getByLabel('Parameters of tools/call')
    if (!(await params.isVisible())) await page.getByText('Change and send again').click()
    await expect.poll(() => textIn(params)).toContain('"take"')
    const tryIt = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await page.getByText('This cannot be sent.').waitFor()
    }
    await expectRefusal(params, '{ "name": "take", "arguments": { "count": 7 }', /No JSON yet/, tryIt)
    await expectRefusal(params, '', /Expected a JSON object/, tryIt)
    await params.fill('{ "name": "take", "arguments": { "count": 8 } }')
    await visit.press('Send').then((panel) => panel.getByText('done').waitFor())
    const sent = [{}, { count: 8 }].map((args) => ({ name: 'take', arguments: args }))
    expect(desk.sent).toEqual({ messages: sent, commands: ['call.start', 'call.start'] })
  })

  test('what a saved call asks, what a saved call expects, and the text of a file with saved calls', async () => {
    await using desk = await Desk.open()
    const { page } = desk
    await page.getByRole('link', { name: 'take' }).click()
    await page.getByRole('button', { name: 'Save this call' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save this call' })
    await dialog.getByLabel('Its title').fill('Takes')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const file = (): Promise<string> => readFile(join(desk.folder, 'takes.yaml'), 'utf8')
    const asked = page.getByLabel('Request')
    await asked.waitFor()
    const before = await file()
    const buttons = ['Save', 'Run'].map((name) => page.getByRole('button', { name, exact: true }))
    const tryIt = async (): Promise<void> => {
      for (const button of buttons) await expect.poll(() => button.isDisabled()).toBe(true)
      await page.getByText('This cannot be sent.').waitFor()
    }
    await expectRefusal(asked, '{ "tool": "take", "arguments": { "count": 9 }', /No JSON yet/, tryIt)
    await expectRefusal(asked, '{ "tool": "take", "name": "other" }', /has a field of its own/, tryIt)
    await asked.fill('{ "tool": "take", "arguments": { "count": 10 } }')

    await page.getByRole('button', { name: 'Add a check' }).click()
    const check = page.getByRole('group', { name: 'Check 1' })
    await check.getByLabel('Part of the answer').fill('structured.list')
    await expectRefusal(check.getByLabel('Value'), '[1,', /No JSON yet/, tryIt)
    await page.getByRole('button', { name: 'Remove check 1' }).click()
    await expectRefusal(page.getByLabel('Warn above'), 'soon', /Expected a number/, tryIt)
    await page.getByLabel('Warn above').fill('60000')
    await page.getByRole('button', { name: 'The result has at least…' }).click()
    await expectRefusal(page.getByLabel('The result has at least'), '{ "isError": ', /No JSON yet/, tryIt)
    expect(await file()).toBe(before)
    await page.getByLabel('The result has at least').fill('')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('region', { name: 'Run' }).getByText('1 passed, 0 failed').waitFor()
    const once = { name: 'take', arguments: { count: 10 } }
    expect(desk.sent).toEqual({ messages: [once], commands: ['saved.put', 'saved.put', 'saved.run'] })

    await page.getByRole('link', { name: 'Takes' }).first().click()
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    const text = page.getByRole('region', { name: 'Text of the file' }).getByRole('textbox')
    await expect.poll(() => textIn(text)).toContain('count: 10')
    // A file is kept as it was typed, with its mistakes listed: a person may want to finish it tomorrow.
    await text.fill('calls: [')
    await page.getByRole('button', { name: 'Save the text' }).click()
    await expect.poll(file).toBe('calls: [')
    await page.locator('.notice').first().waitFor()
    expect(await textIn(text)).toBe('calls: [')
    expect(desk.sent.messages).toEqual([once])
  })

  test('settings of a server, roots of a server, and servers in a pasted text', async () => {
    await using desk = await Desk.open()
    const { page, visit } = desk
    await visit.find('editors Server')
    await page.getByRole('tab', { name: 'Settings' }).click()
    const save = async (): Promise<void> => page.getByRole('button', { name: 'Save and reconnect' }).click()
    const headers = page.getByLabel('Headers')
    await expectRefusal(headers, 'X-Team blue', /Line 1: expected Name: value/, save)
    await expectRefusal(headers, 'X-Team: blue\nx-team: red', /Line 2: x-team is there twice/, save)
    await headers.fill('X-Team: blue')
    const url = page.getByLabel('URL')
    const reached = await url.inputValue()
    await expectRefusal(url, 'javascript:alert(1)', /Expected an http, https, ws or wss URL/, save)
    await url.fill(reached)
    await expectRefusal(page.getByLabel('Roots', { exact: true }), 'some folder', /Expected a whole path/, save)
    await page.getByLabel('Roots', { exact: true }).fill('')
    expect(desk.sent.commands).toEqual([])

    await page.getByRole('tab', { name: 'Roots' }).click()
    await page.getByRole('button', { name: 'Add a root' }).click()
    const root = page.getByLabel('Path or URI of root 1')
    await root.fill('some folder')
    await page.getByRole('button', { name: 'Save roots' }).click()
    await page.getByRole('alert').getByText('Root 1: expected a whole path').waitFor()
    expect(await root.getAttribute('aria-invalid')).toBe('true')

    await visit.goTo('add')
    const connect = async (): Promise<void> => page.getByRole('button', { name: 'Connect', exact: true }).click()
    const command = page.getByRole('textbox', { name: 'Command' })
    await expectRefusal(command, `node 'server.js`, /A quote is not closed/, connect)
    await command.fill('node server.js')
    await expectRefusal(page.getByLabel('Environment variables'), 'A=1\nB', /Line 2: expected NAME=value/, connect)
    await page.getByRole('tab', { name: 'Paste' }).click()
    await page.getByRole('textbox').fill('{ "mcpServers": {')
    await page.getByRole('button', { name: 'Find servers' }).click()
    const found = page.getByRole('region', { name: 'Pasted text' })
    await found
      .getByText(/JSON|expected/i)
      .first()
      .waitFor()
    expect(await found.getByRole('button').count()).toBe(0)
    // Servers of another text than the one that is shown are not offered.
    await page.getByRole('textbox').fill('{')
    await found.waitFor({ state: 'hidden' })
    expect(desk.sent.commands).toEqual(['server.setRoots', 'config.parse'])
  })
})
