import { serveHttp } from '@tenon/sdk/node'
import {
  audio,
  createServer,
  embed,
  image,
  resource,
  resourceLink,
  type Server,
  ToolResult,
  text,
  tool,
} from '@tenon/sdk/server'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { barriers } from './axe.suite.ts'
import { inBrowser, textIn, Visit } from './browser.suite.ts'

const every = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Who it is for' },
    story: { type: 'string', maxLength: 5_000 },
    day: { type: 'string', format: 'date' },
    mail: { type: 'string', format: 'email' },
    count: { type: 'integer', minimum: 1 },
    ratio: { type: 'number', default: 0.5 },
    sure: { type: 'boolean' },
    colour: { enum: ['red', 'green', 7] },
    size: {
      oneOf: [
        { const: 's', title: 'Small' },
        { const: 'l', title: 'Large' },
      ],
    },
    tags: { type: 'array', items: { enum: ['a', 'b', 'c'] } },
    points: { type: 'array', items: { $ref: '#/$defs/point' } },
    tree: { $ref: '#/$defs/node' },
    shape: {
      anyOf: [
        { type: 'string', title: 'By name' },
        { title: 'Circle', type: 'object', properties: { r: { type: 'number' } }, required: ['r'] },
      ],
    },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    limit: { type: ['integer', 'null'], default: 3 },
    both: {
      allOf: [
        { type: 'object', properties: { left: { type: 'string' } }, required: ['left'] },
        { properties: { right: { type: 'string' } } },
      ],
    },
    kind: { const: 'fixed' },
    free: {},
    more: { type: 'object', additionalProperties: { type: 'number' } },
  },
  required: ['name', 'sure', 'kind'],
  $defs: {
    point: { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } }, required: ['x', 'y'] },
    node: {
      type: 'object',
      properties: { value: { type: 'string' }, child: { $ref: '#/$defs/node' } },
      required: ['value'],
    },
  },
}

// One pixel.
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const people = [
  { name: 'Ada', born: 1815 },
  { name: 'Grace', born: 1906 },
]

const server = (): Server =>
  createServer({
    name: 'shapes',
    version: '1.0.0',
    resources: [resource({ uri: 'page:///found', name: 'found', mimeType: 'text/markdown', read: () => '# Found it' })],
    tools: [
      tool({ name: 'every_shape', input: every, run: (input) => JSON.stringify(input) }),
      tool({
        name: 'every_kind',
        run: () => [
          text(
            '# A heading\n\n- one\n- two\n\n[a page](https://example.com/page) and `code`\n\n| a | b |\n|---|---|\n| 1 | 2 |',
          ),
          text(JSON.stringify(people)),
          text(JSON.stringify({ deep: { deeper: { deepest: 'leaf' } } })),
          text('Just a sentence.'),
          image(pixel, 'image/png'),
          audio(Buffer.alloc(44), 'audio/wav'),
          resourceLink({ uri: 'page:///found', name: 'found', title: 'A page to find' }),
          embed({ uri: 'note:///embedded', mimeType: 'text/plain', text: 'embedded text' }),
          embed({ uri: 'file:///bytes', mimeType: 'application/zip', blob: 'AAEC' }),
        ],
      }),
      tool({
        name: 'people',
        output: { type: 'object', properties: { people: { type: 'array' } }, required: ['people'] },
        run: () => new ToolResult({ content: text('Two people'), structured: { people } }),
      }),
      tool({ name: 'nothing', run: () => [] }),
    ],
  })

/** The field of a name, in a form or a part of it. */
const field = (form: Locator, name: string): Locator =>
  form
    .locator('.field')
    .filter({ has: form.page().locator(`:scope > .field-head > .field-label`, { hasText: new RegExp(`^${name}\\b`) }) })

inBrowser('forms and results', () => {
  test('a person fills in every construct of a schema: what was given is sent, and nothing else', async () => {
    await using http = await serveHttp(server(), { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'shapes', url: http.url }] })
    const { page } = visit
    await page.getByRole('link', { name: 'every_shape' }).click()
    const form = page.getByRole('group', { name: 'Arguments' })
    // Before the first try, nothing is marked as wrong.
    expect(await form.locator('.issue').count()).toBe(0)
    await page.getByRole('button', { name: 'Call tool' }).click()
    await field(form, 'name')
      .locator('.issue')
      .getByText(/required|expected/i)
      .waitFor()
    await page.getByText('1 value does not fit').waitFor()

    await field(form, 'name').getByRole('textbox').fill('Ada')
    await form.getByLabel('story', { exact: true }).fill('Once\nupon')
    await form.getByLabel('day', { exact: true }).fill('2026-07-28')
    await form.getByLabel('mail', { exact: true }).fill('ada@example.com')
    await form.getByLabel('count', { exact: true }).fill('0')
    await field(form, 'count').locator('.issue').waitFor()
    await form.getByLabel('count', { exact: true }).fill('2')
    await field(form, 'count').locator('.issue').waitFor({ state: 'hidden' })
    expect(await form.getByLabel('ratio', { exact: true }).inputValue()).toBe('0.5')
    await form.getByLabel('sure').check()
    await form.getByLabel('colour', { exact: true }).selectOption('7')
    await form.getByLabel('size', { exact: true }).selectOption({ label: 'Large' })
    const tags = form.getByRole('group', { name: 'tags' })
    await tags.getByRole('checkbox', { name: 'c' }).check()
    await tags.getByRole('checkbox', { name: 'a' }).check()
    const points = form.getByRole('group', { name: 'points' })
    for (const [at, x] of ['1', '2'].entries()) {
      await points.getByRole('button', { name: 'Add to points' }).click()
      await points.getByRole('textbox', { name: /^x/ }).nth(at).fill(x)
      await points.getByRole('textbox', { name: /^y/ }).nth(at).fill('0')
    }
    await points.getByRole('button', { name: 'Move item 2 up' }).click()
    const tree = form.getByRole('group', { name: 'tree' })
    await tree.getByRole('button', { name: 'Set tree' }).click()
    await tree.getByRole('textbox', { name: 'value' }).first().fill('root')
    await tree.getByRole('button', { name: 'Set child' }).first().click()
    await tree.getByRole('textbox', { name: 'value' }).last().fill('leaf')
    await form.getByLabel('Kind of shape').selectOption({ label: 'Circle' })
    await form.getByRole('textbox', { name: /^r \*/ }).fill('2.5')
    await field(form, 'note').getByRole('button', { name: 'null' }).click()
    await form.getByRole('button', { name: 'Clear limit' }).click()
    const both = form.getByRole('group', { name: 'both' })
    await both.getByRole('button', { name: 'Set both' }).click()
    await both.getByRole('textbox', { name: /^left/ }).fill('here')
    await form.getByLabel('free', { exact: true }).fill('[1, "two"]')
    await form.getByRole('button', { name: 'Set more' }).click()
    await form.getByLabel('Name of another member').fill('e')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await form.getByRole('textbox', { name: 'e', exact: true }).fill('2.5')
    expect(await barriers(page, 'every-shape')).toEqual([])
    await page.keyboard.press('Control+Enter')
    const result = page.getByRole('region', { name: 'Result', exact: true })
    await result.getByText('"Ada"').first().waitFor()
    await result.getByRole('button', { name: 'Plain' }).click()
    const sent = JSON.parse(await textIn(result.getByLabel('JSON', { exact: true }))) as object
    expect(sent).toEqual({
      name: 'Ada',
      story: 'Once\nupon',
      day: '2026-07-28',
      mail: 'ada@example.com',
      count: 2,
      ratio: 0.5,
      sure: true,
      colour: 7,
      size: 'l',
      tags: ['a', 'c'],
      points: [
        { x: 2, y: 0 },
        { x: 1, y: 0 },
      ],
      tree: { value: 'root', child: { value: 'leaf' } },
      shape: { r: 2.5 },
      note: null,
      both: { left: 'here' },
      kind: 'fixed',
      free: [1, 'two'],
      more: { e: 2.5 },
    })
    await page.getByRole('button', { name: 'Reset' }).click()
    expect(await field(form, 'name').getByRole('textbox').inputValue()).toBe('')
    expect(await form.getByLabel('limit', { exact: true }).inputValue()).toBe('3')
    expect(visit.complaints).toEqual([])
  })

  test('every kind of result is shown as what it is, and links open', async () => {
    await using http = await serveHttp(server(), { port: 0 })
    await using visit = await Visit.begin({ servers: [{ kind: 'url', name: 'shapes', url: http.url }] })
    const { page } = visit
    await page.context().route('https://example.com/page', (route) => route.fulfill({ body: 'hello' }))
    await page.getByRole('link', { name: 'every_kind' }).click()
    await page.getByRole('button', { name: 'Call tool' }).click()
    const result = page.getByRole('region', { name: 'Result', exact: true })
    const block = (at: number): Locator => result.locator('[data-block]').nth(at)
    await block(0).getByRole('heading', { name: 'A heading' }).waitFor()
    await block(0).getByRole('cell', { name: '2' }).waitFor()
    expect(await block(0).getByRole('link', { name: 'a page' }).getAttribute('rel')).toBe('noopener noreferrer')
    const opening = page.context().waitForEvent('page')
    await block(0).getByRole('link', { name: 'a page' }).click()
    const opened = await opening
    await opened.waitForURL('https://example.com/page')
    await opened.close()
    await block(0).getByRole('button', { name: 'Plain' }).click()
    await block(0).getByText('# A heading').waitFor()
    await block(1).getByRole('button', { name: 'Table' }).click()
    await block(1).getByRole('columnheader', { name: 'born' }).waitFor()
    await block(1).getByRole('cell', { name: '1906' }).waitFor()
    await block(2).getByText('deeper').click()
    await block(2).getByText('"leaf"').waitFor()
    await block(3).getByText('Just a sentence.').waitFor()
    await expect
      .poll(() =>
        block(4)
          .getByRole('img')
          .evaluate((node) => (node as HTMLImageElement).naturalWidth),
      )
      .toBe(1)
    expect(await block(5).locator('audio').getAttribute('src')).toMatch(/^data:audio\/wav;base64,/)
    await block(7).getByText('embedded text').waitFor()
    // The browser gets no type that it would open, for bytes of any type.
    await page.evaluate(() => {
      const make = URL.createObjectURL
      URL.createObjectURL = (blob) => {
        Object.assign(window, { savedAs: (blob as Blob).type })
        return make.call(URL, blob)
      }
    })
    const saving = page.waitForEvent('download')
    await block(8).getByRole('button', { name: 'Save' }).click()
    expect((await saving).suggestedFilename()).toBe('from-server.zip')
    expect(await page.evaluate(() => (window as { savedAs?: string }).savedAs)).toBe('application/octet-stream')
    expect(await barriers(page, 'every-kind')).toEqual([])
    await block(6)
      .getByRole('link', { name: /A page to find/ })
      .click()
    await result.getByRole('heading', { name: 'Found it' }).waitFor()

    await visit.find('Tool of shapes people')
    await page.getByRole('button', { name: 'Call tool' }).click()
    const structured = page.getByRole('region', { name: 'Structured content' })
    await structured.getByText('fits the output schema').waitFor()
    await structured.getByRole('button', { name: 'Table' }).click()
    await structured.getByRole('cell', { name: 'Grace' }).waitFor()
    await page.getByRole('region', { name: 'Content', exact: true }).getByText('Two people').waitFor()
    await visit.find('Tool of shapes nothing')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await result.getByText('The result is empty').waitFor()
    expect(await barriers(page, 'empty-result')).toEqual([])
    expect(visit.complaints).toEqual([])
    expect(visit.outside).toEqual([])
  })
})
