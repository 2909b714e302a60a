import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { startSite } from '../../fetch/test/site.ts'
import { bin, call, failing, ours, start, testFolder, withoutSandbox } from './helpers.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

const run = (
  args: string[],
  env: { [name: string]: string } = {},
  command = process.execPath,
): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const options = { cwd: root, env: { ...process.env, ...env } }
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
    child.stdin?.end()
  })

test('npx finds the command from the root of the repository', async () => {
  const { code, stdout } = await run(['--no-install', 'tenon-browser', '--help'], {}, 'npx')
  expect([code, stdout]).toEqual([0, expect.stringContaining('--allow-evaluate')])
  const [own] = stdout.split('Settings of every server')
  for (const [flag] of own!.matchAll(/ --[a-z-]+/g)) expect(page).toContain(flag.trim())
})

test.each([
  [['--chromium', '/nowhere/chromium'], 'expected the path of a browser, got /nowhere/chromium'],
  [['--allow-host', 'http://x/'], 'expected a host such as'],
  [['--launch-flag', 'mute-audio'], 'expected a flag of Chromium such as --user-agent=Reader'],
  [['--launch-flag=--proxy-server=x'], '--proxy-server is set by this server'],
  [['--launch-flag=--no-sandbox'], '--no-sandbox is set by this server'],
  [['--launch-options', '{'], 'expected JSON such as'],
  [['--max-tabs', '0'], 'max-tabs'],
])('a mistake is one line and exit code 2: %j', async (args, message) => {
  const { code, stderr } = await run([bin, ...args])
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  expect(stderr.trimEnd().split('\n')).toHaveLength(2)
})

test('the page names every tool, and its configs are JSON', async () => {
  const client = await start(ours('--allow-evaluate'))
  const { tools } = await client.listTools()
  for (const { name } of tools) expect(page).toContain(`\`${name}\``)
  for (const { name, title, annotations, outputSchema } of tools) {
    expect([name, title, Object.keys(annotations ?? {}).length, typeof outputSchema]).toEqual([
      name,
      expect.any(String),
      4,
      'object',
    ])
  }
  for (const [, block] of page.matchAll(/```json\n(.*?)```/gs)) JSON.parse(block!)
  expect(client.server.info).toMatchObject({ name: 'browser', icons: [{ mimeType: 'image/svg+xml' }] })
})

test('--read-only has no clicks, forms and scripts', async () => {
  const client = await start(ours('--read-only', '--allow-evaluate'))
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['puppeteer_navigate', 'puppeteer_screenshot', 'browser_snapshot']))
  const acting = ['click', 'fill', 'select', 'hover', 'evaluate'].map((name) => `puppeteer_${name}`)
  expect(names.filter((name) => [...acting, 'browser_press_key', 'browser_history'].includes(name))).toEqual([])
})

test('without a Chromium the call says so', async () => {
  const env = { PATH: '/nowhere', CHROMIUM: '' }
  const client = await start({ command: process.execPath, args: [bin], env })
  expect(await failing(client, 'puppeteer_navigate', { url: 'about:blank' })).toContain('No Chromium was found')
})

describe('the program', requires('chromium'), () => {
  test('opens a site that it may open, and asks before it clicks', async () => {
    await using site = await startSite({ '/': '<title>Here</title><button>Go</button>' })
    const client = await start(ours('--confirm'))
    expect((await call(client, 'puppeteer_navigate', { url: `${site.origin}/` })).structured.title).toBe('Here')
    expect(await failing(client, 'puppeteer_click', { selector: 'button' })).toContain('Nothing was changed')
    expect(await failing(client, 'puppeteer_navigate', { url: 'http://127.0.0.2/' })).toContain('not a public address')
  })

  test('reads the launch options of the original, and a changed config', async () => {
    await using site = await startSite({ '/': '<title>Here</title>' })
    const config = join(testFolder(), 'config.json')
    writeFileSync(config, '{ "allowPrivate": [] }')
    const env = {
      PUPPETEER_LAUNCH_OPTIONS: JSON.stringify({ headless: true, args: [...withoutSandbox, '--user-agent=Reader'] }),
    }
    const client = await start({ command: process.execPath, args: [bin, '--config', config], env })
    const args = { url: `${site.origin}/` }
    expect(await failing(client, 'puppeteer_navigate', args)).toContain('not a public address')
    writeFileSync(config, '{ "allowPrivate": ["127.0.0.1"] } // now it may')
    await expect.poll(async () => (await client.callTool('puppeteer_navigate', args)).isError === true).toBe(false)
    expect(site.requests[0]!.headers['user-agent']).toBe('Reader')
  })

  test('the sandbox is on by default; an account that cannot have it is told so', async () => {
    const client = await start({ command: process.execPath, args: [bin] })
    const { isError, text } = await client.callTool('puppeteer_navigate', { url: 'about:blank' })
    expect(isError ? text : 'it runs with its sandbox').toContain('with its sandbox')
    expect([isError === true, process.getuid?.() === 0]).not.toEqual([false, true])
  })
})
