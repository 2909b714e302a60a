import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { connect } from '../client/connect.ts'
import { revisions } from '../model/revision.ts'
import { tool } from '../server/features/tool.ts'
import { ToolResult } from '../server/features/tool-result.ts'
import { createServer } from '../server/server.ts'
import { openWire } from '../testing/open-wire.ts'
import { appResource, appTool, supportsApps } from './define.ts'
import { appsCapability, appsExtension } from './vocabulary.ts'

const html = '<!doctype html><title>Grüße</title>'
const csp = { connectDomains: ['https://api.example.com'], resourceDomains: ['https://*.example.com'] }
const view = appResource({
  uri: 'ui://weather/view',
  name: 'view',
  html,
  csp,
  permissions: { geolocation: {} },
  prefersBorder: true,
  meta: { other: 1 },
})
const forecast = appTool({
  name: 'forecast',
  app: view,
  input: z.object({ city: z.string() }),
  run: ({ city }, ctx) => (supportsApps(ctx.caller) ? `See the view of ${city}` : `Sunny in ${city}`),
})
const refresh = appTool({ name: 'refresh', app: 'ui://weather/view', visibility: ['app'], run: () => 'fresh' })
const data = appTool({ name: 'data', app: view, run: () => new ToolResult({ structured: { degrees: 21 } }) })
const server = createServer({
  name: 'weather',
  version: '1.0.0',
  resources: [view],
  tools: [forecast, refresh, data, tool({ name: 'plain', run: () => 'plain' })],
  capabilities: { extensions: { [appsExtension]: {} } },
})

const namesOf = async (tools: AsyncIterable<{ name: string }>): Promise<string[]> => {
  const names: string[] = []
  for await (const { name } of tools) names.push(name)
  return names
}

const withMeta = revisions.filter((revision) => revision >= '2025-06-18')

describe.each(withMeta)('over %s', (revision) => {
  // [xapp.res.scheme] [xapp.res.mime] [xapp.res.text-or-blob] [xapp.res.meta-location] [xapp.tool.resource-exists]
  test('a view is read with what it declares, and a tool names it [xapp.tool.resource-uri]', async () => {
    await using client = await connect(server, { revisions: [revision], capabilities: appsCapability })
    const { tools } = await client.listTools()
    const { resourceUri } = tools.find(({ name }) => name === 'forecast')!._meta!.ui as { resourceUri: string }
    const ui = { csp, permissions: { geolocation: {} }, prefersBorder: true }
    const mimeType = 'text/html;profile=mcp-app'
    expect((await client.readResource(resourceUri)).contents).toEqual([
      { uri: 'ui://weather/view', mimeType, text: html, _meta: { ui } },
    ])
    const { resources } = await client.listResources()
    expect(resources).toEqual([
      { uri: 'ui://weather/view', name: 'view', mimeType, size: html.length + 2, _meta: { other: 1, ui } },
    ])
  })

  // [xapp.cap.host-declares] [xapp.cap.mime-types] [xapp.cap.server-checks] [xapp.fallback.text] [xapp.fallback.variants]
  test('a client without apps gets text, and does not see what only views call', async () => {
    await using plain = await connect(server, { revisions: [revision] })
    expect(await namesOf(plain.tools())).toEqual(['forecast', 'data', 'plain'])
    expect((await plain.callTool('forecast', { city: 'Kiel' })).text).toBe('Sunny in Kiel')
    await expect(plain.callTool('refresh')).rejects.toThrow()
    await using host = await connect(server, { revisions: [revision], capabilities: appsCapability })
    expect(await namesOf(host.tools())).toEqual(['forecast', 'refresh', 'data', 'plain'])
    expect((await host.callTool('forecast', { city: 'Kiel' })).text).toBe('See the view of Kiel')
    expect((await host.callTool('refresh')).text).toBe('fresh')
  })

  test('data alone becomes text too [xapp.fallback.content]', async () => {
    await using client = await connect(server, { revisions: [revision] })
    expect(await client.callTool('data')).toMatchObject({ text: '{"degrees":21}', structured: { degrees: 21 } })
  })
})

// Tools have no `_meta` there, so no host could find the view. [xapp.fallback.content]
test.each(['2024-11-05', '2025-03-26'] as const)('in %s every client is one without views', async (revision) => {
  await using wire = openWire(server)
  const clientInfo = { name: 'host', version: '1' }
  const hello = { protocolVersion: revision, clientInfo, capabilities: appsCapability }
  wire.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })
  await wire.next()
  wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  const call = { name: 'forecast', arguments: { city: 'Kiel' } }
  wire.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call })
  expect(await wire.next()).toMatchObject({ result: { content: [{ text: 'Sunny in Kiel' }] } })
})

test('a page can be loaded when it is read, as text or bytes, or be missing', async () => {
  const bytes = new TextEncoder().encode(html)
  const pages: Record<string, string | Uint8Array | undefined> = { 'ui://a/text': html, 'ui://a/bytes': bytes }
  const load = async ({ uri }: { uri: string }) => pages[uri]
  const uris = ['ui://a/text', 'ui://a/bytes', 'ui://a/none']
  const resources = uris.map((uri) => appResource({ uri, name: uri, load }))
  await using client = await connect(createServer({ name: 'a', version: '1', resources }))
  expect((await client.readResource('ui://a/text')).contents).toMatchObject([{ text: html, _meta: { ui: {} } }])
  expect((await client.readResource('ui://a/bytes')).contents).toMatchObject([
    { blob: btoa(String.fromCharCode(...bytes)) },
  ])
  await expect(client.readResource('ui://a/none')).rejects.toMatchObject({ code: -32602 })
})

test.each([
  [undefined, false],
  [{}, false],
  [{ mimeTypes: 'text/html;profile=mcp-app' }, false],
  [{ mimeTypes: ['text/html', 7] }, false],
  [{ mimeTypes: ['image/png', 'text/html; profile="mcp-app"'] }, true],
])('settings %j mean apps: %s', (settings, expected) => {
  const extensions = settings === undefined ? {} : { [appsExtension]: settings }
  expect(supportsApps({ capabilities: { extensions } })).toBe(expected)
})

const page = { uri: 'ui://a/b', name: 'a', html }
const origins = (...connectDomains: unknown[]) => ({ ...page, csp: { connectDomains } }) as never

test.each([
  ['another scheme', { ...page, uri: 'https://a/b' }, 'ui://'],
  ['nothing behind the scheme', { ...page, uri: 'ui://' }, 'ui://'],
  ['no string', { ...page, uri: 7 } as never, 'ui://'],
  ['no page', { uri: 'ui://a/b', name: 'a' }, 'html'],
  ['two pages', { ...page, load: () => html }, 'html'],
  ['no name', { ...page, name: '' }, 'name'],
  ['a domain that is no string', { ...page, domain: 7 } as never, 'domain'],
  ['a border that is no boolean', { ...page, prefersBorder: 'yes' } as never, 'prefersBorder'],
  ['a permission that nobody knows', { ...page, permissions: { usb: {} } } as never, 'permissions.usb'],
  ['a permission without settings', { ...page, permissions: { camera: true } } as never, 'permissions.camera'],
  ['a policy that is none', { ...page, csp: 'none' } as never, 'csp'],
  ['a misspelt kind', { ...page, csp: { connectDomain: [] } } as never, 'csp.connectDomain'],
  ['one origin instead of a list', { ...page, csp: { connectDomains: 'https://a.example' } } as never, 'an array'],
  ['every origin', origins('*'), 'csp.connectDomains[0]'],
  ['every host', origins('https://*'), 'csp.connectDomains[0]'],
  ['every host of a top-level domain', origins('https://*.com'), 'csp.connectDomains[0]'],
  ['a scheme alone', origins('https:'), 'csp.connectDomains[0]'],
  ['a keyword', origins("'unsafe-eval'"), 'csp.connectDomains[0]'],
  ['another directive', origins('https://a.example', 'https://a.example; script-src *'), 'csp.connectDomains[1]'],
  ['two in one', origins('https://a.example https://b.example'), 'csp.connectDomains[0]'],
  ['a line break', origins('https://a.example\nx'), 'csp.connectDomains[0]'],
  ['a comma, which starts another policy', origins('https://a.example,x'), 'csp.connectDomains[0]'],
  ['a path', origins('https://a.example/path'), 'csp.connectDomains[0]'],
  ['no string', origins(7), 'an integer'],
  ['more than a header holds', origins(...Array(65).fill('https://a.example')), 'at most 64'],
])('a view with %s is refused', (_what, options, message) => {
  expect(() => appResource(options as typeof page)).toThrow(
    expect.objectContaining({ code: 'invalid_definition', message: expect.stringContaining(message) }),
  )
})

test.each([
  ['a view of another scheme', { app: 'https://a.example' }, 'app'],
  ['visibility to nobody', { visibility: [] }, 'visibility'],
  ['visibility to a stranger', { visibility: ['user'] }, 'visibility'],
  ['visibility that is no list', { visibility: 'app' }, 'visibility'],
])('a tool with %s is refused', (_what, options, message) => {
  expect(() => appTool({ name: 'a', run: () => '', ...options } as never)).toThrow(
    expect.objectContaining({ code: 'invalid_definition', message: expect.stringContaining(message) }),
  )
})
