/** The original server and ours, side by side. The README lists the differences that this file asserts. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, connect, type Tool } from '@tenon/sdk/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pythonServer, requires } from '../../../scripts/requires.ts'
import { open } from './open.ts'
import { type Site, startSite } from './site.ts'

const program = fileURLToPath(new URL('../bin/tenon-fetch.js', import.meta.url))
const paragraph = '<p>Rivers carry water from the mountains to the sea, and everything that people throw into them.</p>'

describe('the original and ours', requires('python-servers'), () => {
  let original: Client
  let ours: Client
  let site: Site
  beforeAll(async () => {
    site = await startSite({
      '/': `<html><title>Rivers</title><body><article>${paragraph.repeat(80)}</article></body></html>`,
      '/data.json': (_request, response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}'),
      '/robots.txt': 'user-agent: *\ndisallow: /no',
      '/no': paragraph,
    })
    original = await connect({ command: pythonServer('fetch'), args: ['--allow-private-ips'] })
    ours = await connect({ command: process.execPath, args: [program, '--allow-private-ips', '--read-timeout', '60s'] })
  }, 120_000)
  afterAll(async () => {
    await original?.close()
    await ours?.close()
    await site?.[Symbol.asyncDispose]()
  })

  const both = async (path: string, args: object = {}): Promise<[theirs: string, own: string]> => {
    const url = site.origin + path
    const results = await Promise.all([original, ours].map((server) => server.callTool('fetch', { url, ...args })))
    return results.map(({ text }) => text) as [string, string]
  }

  test('ours has the tool with its parameters and defaults, and the prompt', async () => {
    const [[theirs], [own]] = (await Promise.all([original.listTools(), ours.listTools()])).map(
      ({ tools }) => tools,
    ) as [[Tool], [Tool]]
    const parameters = ({ inputSchema }: Tool) =>
      Object.entries(inputSchema.properties as { [name: string]: { [key: string]: unknown } }).map(
        ([name, { type, default: fallback, minimum, maximum }]) => ({
          name,
          type,
          fallback,
          minimum,
          maximum: name === 'start_index' ? undefined : maximum,
        }),
      )
    expect({ name: own.name, parameters: parameters(own) }).toEqual({
      name: theirs.name,
      parameters: parameters(theirs),
    })
    expect([own.inputSchema.required, own.annotations]).toEqual([theirs.inputSchema.required, theirs.annotations])
    const prompts = await Promise.all([original.listPrompts(), ours.listPrompts()])
    const [theirPrompt, ownPrompt] = prompts.map(({ prompts: [first] }) => first)
    expect(ownPrompt).toMatchObject({ name: theirPrompt?.name, arguments: [{ name: 'url', required: true }] })
  })

  test.each([
    ['a document that is no HTML', '/data.json', {}],
    ['raw', '/', { raw: true }],
    ['raw, the next part', '/', { raw: true, max_length: 100, start_index: 100 }],
    ['past the end', '/', { start_index: 1_000_000 }],
    ['a status that is no success', '/gone', {}],
  ])('%s: the same text', async (_what, path, args) => {
    const [theirs, own] = await both(path, args)
    // Python's SDK puts the name of the tool before errors.
    expect(own).toBe(theirs.replace(/^Error executing tool fetch: /, ''))
  })

  test('a page: the same paragraphs, and the same words about how to go on', async () => {
    const [theirs, own] = await both('/', { max_length: 500 })
    for (const text of [theirs, own]) {
      expect(text).toContain(`Contents of ${site.origin}/:\n`)
      expect(text).toContain('Rivers carry water from the mountains to the sea')
      expect(text).toContain(
        '<error>Content truncated. Call the fetch tool with a start_index of 500 to get more content.</error>',
      )
    }
  })

  test('both obey robots.txt with the tool; only ours with the prompt', async () => {
    for (const text of await both('/no')) expect(text).toContain('robots.txt')
    const [theirs, own] = await Promise.all(
      [original, ours].map(async (server) =>
        JSON.stringify(await server.getPrompt('fetch', { url: `${site.origin}/no` })),
      ),
    )
    expect([theirs?.includes('Rivers carry'), own?.includes('Rivers carry')]).toEqual([true, false])
  })

  test('difference: the original downloads each part again', async () => {
    const count = async (server: Client): Promise<number> => {
      const before = site.paths().length
      for (const start_index of [0, 100, 200]) {
        await server.callTool('fetch', { url: `${site.origin}/`, max_length: 100, start_index })
      }
      return site.paths().length - before
    }
    expect([await count(original), await count(ours)]).toEqual([3, 1])
  })

  test('difference: a name that changes its address gets the original into a private network', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rebind-'))
    // A name server whose first answer is public and whose later ones are not, as the process sees it.
    writeFileSync(join(folder, 'sitecustomize.py'), rebindingNames)
    const victim = await connect({
      command: pythonServer('fetch'),
      args: ['--ignore-robots-txt'],
      env: { PYTHONPATH: folder },
    })
    const url = `http://rebind.test:${site.port}/data.json`
    const theirs = await victim.callTool('fetch', { url })
    await victim.close()
    expect(theirs.text).toContain('{"a":1}')

    let asked = 0
    const resolve = async () => [{ address: asked++ === 0 ? '192.88.99.1' : '127.0.0.1', family: 4 }]
    await using client = await open({
      allowPrivate: ['192.88.99.1'],
      resolve,
      connectTimeout: 500,
      ignoreRobotsTxt: true,
    })
    const own = await client.callTool('fetch', { url })
    expect({ isError: own.isError, asked }).toEqual({ isError: true, asked: 1 })
    expect(own.text).not.toContain('{"a":1}')
  })
})

const rebindingNames = `
import socket
real = socket.getaddrinfo
asked = 0
def getaddrinfo(host, *args, **kwargs):
    global asked
    if host in ('rebind.test', b'rebind.test'):
        asked += 1
        host = '93.184.216.34' if asked == 1 else '127.0.0.1'
    return real(host, *args, **kwargs)
socket.getaddrinfo = getaddrinfo
`
