import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttp } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { referenceServers } from '@tenon/host/reference-servers'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { createEverythingServer } from '@tenon/server-everything'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { barriers } from './axe.suite.ts'
import { inBrowser, Visit } from './browser.suite.ts'
import { everything } from './workbench-in-test.suite.ts'

const { command, args } = everything as { command: string; args: string[] }

// A home folder with the settings of two applications in it.
let home: string
beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'add-server-')))
  const env = { API_KEY: 'a-secret-value' }
  await mkdir(join(home, '.cursor'))
  await writeFile(
    join(home, '.cursor', 'mcp.json'),
    JSON.stringify({ mcpServers: { theirs: { command, args, env }, broken: { command: 7 } } }),
  )
  await mkdir(join(home, '.codex'))
  const toml = ['[mcp_servers.sleepy]', `command = ${JSON.stringify(command)}`, 'args = ["-e", ""]']
  await writeFile(join(home, '.codex', 'config.toml'), toml.join('\n'))
  vi.stubEnv('HOME', home)
  vi.stubEnv('XDG_CONFIG_HOME', join(home, '.config'))
  for (const name of ['CODEX_HOME', 'CLAUDE_CONFIG_DIR', 'COPILOT_HOME']) vi.stubEnv(name, undefined)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(home, { recursive: true })
})

inBrowser('adding servers', () => {
  test('a person finds servers in the settings of other applications, and starts one of them', async () => {
    await using visit = await Visit.begin({})
    const { page } = visit
    await page.getByRole('tab', { name: 'Import' }).click()
    const cursor = page.getByRole('region', { name: 'Cursor' })
    await cursor.getByText(join(home, '.cursor', 'mcp.json')).waitFor()
    await page
      .getByRole('region', { name: 'Unreadable files' })
      .getByText(/broken/)
      .first()
      .waitFor()
    await page.getByRole('region', { name: 'Codex' }).getByText('sleepy').waitFor()
    expect(await page.content()).not.toContain('a-secret-value')
    expect(await barriers(page, 'import')).toEqual([])
    await cursor.getByRole('listitem').filter({ hasText: 'theirs' }).getByRole('button', { name: 'Connect' }).click()
    const dialog = page.getByRole('dialog', { name: 'Start this program?' })
    await dialog.getByText(args[0]!).waitFor()
    await dialog.getByText('API_KEY=a-secret-value').waitFor()
    await dialog.getByRole('button', { name: 'Start the program' }).click()
    await page.getByRole('status').getByText('connected', { exact: true }).waitFor()
    await page.getByRole('heading', { name: /theirs|Everything/i }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('a reference server is started from the list; one that needs an argument asks for it', async () => {
    await using visit = await Visit.begin({})
    const { page } = visit
    await page.getByRole('tab', { name: 'Ready-made' }).click()
    const list = page.getByRole('region', { name: 'Reference servers' })
    expect(await list.getByRole('listitem').count()).toBe(referenceServers.length)
    expect(await barriers(page, 'reference')).toEqual([])
    await list.getByRole('button', { name: 'Connect filesystem' }).click()
    const folder = list.getByRole('textbox', { name: 'Folder for filesystem' })
    expect(await folder.evaluate((input: HTMLInputElement) => input.validity.valueMissing)).toBe(true)
    await list.getByRole('button', { name: 'Connect everything' }).click()
    const dialog = page.getByRole('dialog', { name: 'Start this program?' })
    await dialog.getByText('@tenon/server-everything').waitFor()
    await dialog.getByRole('button', { name: 'Start the program' }).click()
    await page.getByRole('status').getByText('connected', { exact: true }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('what is pasted may be anything that names a server; what names none is answered with words', async () => {
    await using http = await serveHttp(createEverythingServer(), { port: 0 })
    await using visit = await Visit.begin({})
    const { page } = visit
    await page.getByRole('tab', { name: 'Paste' }).click()
    const box = page.getByRole('textbox', { name: /Settings of another application/ })
    const found = page.getByRole('region', { name: 'Pasted text' })
    const inside = JSON.stringify({ name: 'linked', command, args })
    const shapes: [text: string, name: string, target: string][] = [
      [JSON.stringify({ mcpServers: { desktop: { command, args } } }), 'desktop', args[0]!],
      [JSON.stringify({ servers: { code: { type: 'http', url: http.url } } }), 'code', http.url],
      [`"alone": { "command": "npx", "args": ["-y", "some-server"], }`, 'alone', 'npx -y some-server'],
      [JSON.stringify({ command: 'uvx', args: ['other-server'] }), '', 'uvx other-server'],
      [`vscode:mcp/install?${encodeURIComponent(inside)}`, 'linked', args[0]!],
      [`[mcp_servers.toml]\ncommand = "npx"\nargs = ["third-server"]`, 'toml', 'npx third-server'],
      [`claude mcp add shelly -- npx -y fourth-server`, 'shelly', 'npx -y fourth-server'],
      [http.url, '', http.url],
    ]
    for (const [text, name, target] of shapes) {
      await box.fill(text)
      await page.getByRole('button', { name: 'Find servers' }).click()
      await found.getByText(target).first().waitFor()
      await found.getByRole('listitem').first().getByText(name).first().waitFor()
    }
    await found.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('status').getByText('connected', { exact: true }).waitFor()
    await visit.goTo('add')
    await page.getByRole('tab', { name: 'Paste' }).click()
    for (const text of ['{ "mcpServers": ', '{ "lunch": "at one" }']) {
      await box.fill(text)
      await page.getByRole('button', { name: 'Find servers' }).click()
      await page.locator('.notice').first().waitFor()
      expect(await found.getByRole('button', { name: 'Connect' }).count()).toBe(0)
    }
    expect(await barriers(page, 'pasted-nothing')).toEqual([])
    expect(visit.complaints.filter((text) => !text.includes('422'))).toEqual([])
  })

  test('a URL is added with a header and a revision, a command with a folder; both are what the server sees', async () => {
    const seen: (string | undefined)[] = []
    const front = createHttp((request, response) => {
      seen.push(request.headers['x-team'] as string | undefined)
      const sent = {
        method: request.method!,
        headers: new Headers(request.headers as { [name: string]: string }),
        ...(request.method === 'POST' && { body: request as never, duplex: 'half' }),
      } as RequestInit
      const passOn = async (): Promise<void> => {
        const reply = await fetch(http.url, sent)
        response.writeHead(reply.status, Object.fromEntries(reply.headers))
        for await (const chunk of reply.body ?? []) response.write(chunk)
        response.end()
      }
      passOn().catch(() => response.destroy())
    })
    const where = tool({ name: 'where', run: () => 'here' })
    await using http = await serveHttp(createServer({ name: 'behind', version: '2.0.0', tools: [where] }), { port: 0 })
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
    await using visit = await Visit.begin({})
    const { page } = visit
    await page.getByRole('tab', { name: 'URL' }).click()
    await page
      .getByRole('textbox', { name: 'URL' })
      .fill(`http://127.0.0.1:${(front.address() as AddressInfo).port}/mcp`)
    await page.getByLabel('Headers').fill('X-Team: blue')
    await page.getByText('More settings').click()
    await page.getByLabel('Protocol revision').selectOption('2025-06-18')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('behind 2.0.0').waitFor()
    await page.getByText('2025-06-18 (pinned)').waitFor()
    expect(new Set(seen)).toEqual(new Set(['blue']))
    front.closeAllConnections()
    front.close()

    await visit.goTo('add')
    const script = `process.stderr.write('in ' + process.cwd() + ' as ' + process.env.COLOUR + '\\n')`
    await page.getByRole('textbox', { name: 'Command' }).fill(`${process.execPath} -e "${script}"`)
    await page.getByLabel('Environment variables').fill('COLOUR=teal')
    await page.getByText('More settings').click()
    await page.getByLabel('Working directory').fill(home)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(home).waitFor()
    await dialog.getByRole('button', { name: 'Start the program' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('tab', { name: 'Output' }).click()
    await page.getByRole('log').getByText(`in ${home} as teal`).first().waitFor()
  })
})
