/** The workbench of a gateway: a person who runs it, while two callers use it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGateway, type Gateway, readGatewayConfig, serveGateway } from '@tenon/gateway'
import { newApiKey } from '@tenon/gateway/identity'
import { type OperatorServer, serveOperator } from '@tenon/gateway/operator'
import { type GatewayPage, startGatewayPage } from '@tenon/inspector'
import { connect } from '@tenon/sdk/client'
import { createServer, tool } from '@tenon/sdk/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { barriers } from './axe.suite.ts'
import { inBrowser, openPage } from './browser.suite.ts'

const [ada, bob] = [newApiKey(), newApiKey()]
const file = `
upstreams:
  notes: { module: notes }
  gone: { url: 'http://127.0.0.1:9/mcp' }
servers:
  team: { upstreams: { notes: { prefix: '' } } }
identity:
  keys:
    - { name: ada, hash: ${ada.hash}, groups: [editors] }
    - { name: bob, hash: ${bob.hash} }
policy:
  rules:
    - { name: readers, effect: allow, when: annotations.readOnlyHint }
    - { name: editors, effect: approve, when: '"editors" in caller.groups' }
    - { name: not everything, effect: deny, when: 'args.?name.orValue("") == "*"' }
  approvals: { by: [queue], wait: 5m }
  pins: { file: pins.json, firstUse: approve }
audit: { folder: log }
`

/** Each in the colour that the other screens do not have there. */
const widths = [
  ['light', 360],
  ['dark', 768],
  ['light', 1024],
  ['dark', 1440],
] as const

const notes = createServer({
  name: 'notes',
  version: '1.0.0',
  tools: [
    tool({ name: 'read', annotations: { readOnlyHint: true }, run: () => 'a note' }),
    tool({
      name: 'erase',
      input: { type: 'object', properties: { name: { type: 'string' }, password: { type: 'string' } } },
      run: () => 'erased',
    }),
  ],
})

let folder: string
let gateway: Gateway
let operator: OperatorServer
let workbench: GatewayPage
let url: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-gateway-page-'))
  const { config, parts } = readGatewayConfig(file, folder)
  gateway = createGateway(config, { ...(await parts()), folder, importModule: async () => ({ default: notes }) })
  operator = await serveOperator(gateway)
  workbench = await startGatewayPage({ api: operator })
  url = (await serveGateway(gateway)).url
})
afterAll(async () => {
  await workbench?.close()
  await operator?.close()
  await gateway?.close()
  await rm(folder, { recursive: true })
})

inBrowser('the workbench of a gateway', () => {
  test('health, view as, reasons, approvals, the log and traffic, by keyboard and without barriers', async () => {
    const stranger = await fetch(new URL('/api/upstreams', workbench.url), { method: 'POST', body: '{}' })
    expect(stranger.status).toBe(403)
    const page = await openPage(workbench.url)
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      // A refused question is an answer too, and the browser notes it.
      if (message.type() === 'error' && !message.text().includes('422')) complaints.push(message.text())
    })
    await page.setViewportSize({ width: 1280, height: 800 })
    const check = async (screen: string): Promise<void> => {
      expect.soft(await barriers(page, screen)).toEqual([])
    }

    const upstreams = page.getByRole('list', { name: 'Upstreams' }).getByRole('listitem')
    await page.getByRole('button', { name: 'Check now' }).click()
    await upstreams.filter({ hasText: 'gone' }).getByText('failing').waitFor()
    expect(await upstreams.filter({ hasText: 'notes' }).getByText('up', { exact: true }).count()).toBe(1)
    await check('servers')

    await page.getByRole('link', { name: 'Servers' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'View as' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('key:bob')
    await page.getByText('1 of 2 items are listed for key:bob').waitFor()
    await page.getByText('gone could not be asked').waitFor()
    await check('catalogue')
    await page.getByLabel('Virtual server').selectOption('team')
    await page.getByText('gone could not be asked').waitFor({ state: 'detached' })
    await page.getByLabel('Groups to try').fill('editors')
    await page.getByText('2 of 2 items are listed for key:bob').waitFor()

    await page.getByRole('link', { name: 'erase' }).click()
    const decision = page.getByRole('region', { name: 'Decision about erase' })
    await decision.getByText('Depends on the arguments', { exact: true }).waitFor()
    await page.getByLabel('Arguments, as JSON').fill('{"name":"*"}')
    await decision.getByText('Decided by not everything.').waitFor()
    await page.getByLabel('Arguments, as JSON').fill('{"name":')
    await page.getByText('Expected an object in JSON').waitFor()
    await page.getByLabel('Arguments, as JSON').fill('{}')
    await decision.getByText('A person has to approve it').waitFor()
    expect.soft(await barriers(page, 'policy', widths)).toEqual([])
    await page.getByLabel('Caller').fill('key:bobb')
    await page.getByRole('alert').getByText('There is key:bob').waitFor()
    await check('a caller that is not there')

    await using editor = await connect(url, { headers: { authorization: `Bearer ${ada.key}` } })
    const [denied, erased] = ['one', 'two'].map((name) =>
      editor.callTool('notes__erase', { name, password: 'SECRET' }).catch((error: Error) => error),
    )
    await page.getByRole('link', { name: 'Approvals 2' }).click()
    const requests = page.getByRole('article', { name: 'Request for erase of notes' })
    await requests.nth(1).waitFor()
    await check('approvals')
    expect(await page.content()).not.toContain('SECRET')
    await requests.filter({ hasText: 'one' }).getByRole('button', { name: 'Deny' }).click()
    expect((await denied) as Error).toMatchObject({ message: expect.stringContaining('did not approve') })
    await requests.filter({ hasText: 'two' }).getByRole('button', { name: 'Approve' }).press('Enter')
    expect(await erased).toMatchObject({ text: 'erased' })
    await page.getByRole('heading', { name: 'Nothing waits' }).waitFor()
    const definition = { name: 'erase', description: 'Erases all of them', inputSchema: {} }
    gateway.parts.pins!.isApproved({ kind: 'tool', upstream: 'notes', name: 'erase', definition })
    const changed = page.getByRole('article', { name: 'Definition of erase of notes' })
    await changed.getByText('Erases all of them').waitFor()
    await check('a definition that changed')
    await changed.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('heading', { name: 'Nothing waits' }).waitFor()

    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByLabel('Type').selectOption('approval')
    const entries = page.getByRole('list', { name: 'Entries' }).getByRole('listitem')
    await expect.poll(() => entries.count()).toBe(2)
    await page.getByLabel('Search the log').fill('denied')
    await expect.poll(() => entries.count()).toBe(1)
    await entries.first().locator('summary').first().click()
    await entries.first().locator('.json-tree').getByText('operator').waitFor()
    await check('audit')

    await page.getByRole('link', { name: 'Traffic' }).click()
    const row = page.getByRole('row').filter({ hasText: 'erase' })
    await expect.poll(() => row.count()).toBe(2)
    await page.getByRole('button', { name: 'Pause' }).click()
    await using reader = await connect(url, { headers: { authorization: `Bearer ${bob.key}` } })
    await reader.callTool('notes__read')
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByLabel('Search requests').fill('read')
    await page.getByRole('row').filter({ hasText: 'notes' }).filter({ hasText: 'read' }).waitFor()
    await check('traffic')

    expect(complaints).toEqual([])
    expect(await page.content()).not.toContain(operator.token)
    await operator.close()
    await page.getByText('The gateway does not answer.').first().waitFor()
    await page.close()
  })
})
