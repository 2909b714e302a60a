import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'
import { expect, test } from 'vitest'
import { startSite } from './site.ts'

const program = fileURLToPath(new URL('../bin/tenon-fetch.js', import.meta.url))
const run = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', input: '' })

test('the program reads a site that it may read, and no other', async () => {
  await using site = await startSite({ '/': '<title>Here</title><p>the text</p>' })
  const args = [
    program,
    '--allow-private',
    `127.0.0.1:${site.port}`,
    '--user-agent',
    'Reader/1',
    '--read-timeout',
    '60s',
  ]
  await using client = await connect({ command: process.execPath, args })
  expect((await client.callTool('fetch', { url: `${site.origin}/` })).text).toContain('the text')
  expect(site.requests.map(({ headers }) => headers['user-agent'])).toEqual(['Reader/1', 'Reader/1'])
  expect((await client.callTool('fetch', { url: 'http://127.0.0.1:81/' })).text).toContain('not a public address')
  expect(client.server.info).toMatchObject({ name: 'fetch', icons: [{ mimeType: 'image/svg+xml' }] })
})

test.each([
  [['--allow-private', '10.0.0.0/99'], /expected a host such as/],
  [['--allow-port', 'http'], /--allow-port/],
  [['--proxy-url', 'socks5://127.0.0.1:1'], /expected the http or https URL of a proxy/],
  [['--max-bytes', 'many'], /--max-bytes/],
  [['http://example.com/'], /unexpected argument/],
])('%j is one line and exit code 2', (args, reason) => {
  const { status, stderr } = run(...args)
  expect(stderr).toMatch(reason)
  expect({ status, lines: stderr.trim().split('\n').length }).toEqual({ status: 2, lines: 2 })
})

test('help names the flags, those of the original among them', () => {
  const { stdout } = run('--help')
  for (const flag of ['--user-agent', '--ignore-robots-txt', '--proxy-url', '--allow-private-ips', '--allow-host']) {
    expect(stdout).toContain(flag)
  }
})
