import { expect, test } from 'vitest'
import type { ReadResourceResult } from '../../model/resources.ts'
import { loadApp } from './document.ts'
import { sandboxPage, withCsp } from './sandbox-page.ts'

const mimeType = 'text/html;profile=mcp-app'
const uri = 'ui://a/view'
const serving = (...contents: unknown[]) => ({
  asked: [] as string[],
  async readResource(asked: string): Promise<ReadResourceResult> {
    this.asked.push(asked)
    return { contents } as ReadResourceResult
  },
})

// [xapp.tool.fetch-by-read]
test('a view is read with what its contents declare', async () => {
  const warnings: string[] = []
  const ui = {
    csp: { connectDomains: ['https://a.example', '*'] },
    permissions: { camera: {}, usb: {} },
    domain: 'x.example',
    prefersBorder: false,
  }
  const client = serving({ uri, mimeType, text: '<p>', _meta: { ui } })
  expect(await loadApp(client, uri, { onWarning: (message) => warnings.push(message) })).toEqual({
    uri,
    html: '<p>',
    csp: { connectDomains: ['https://a.example'] },
    permissions: { camera: {} },
    domain: 'x.example',
    prefersBorder: false,
    sha256: '33f2799467177287a29260780a107ac98ea63dd6165f67fcc0d74767d0a82090',
  })
  expect(client.asked).toEqual([uri])
  expect(warnings).toEqual(['ui://a/view: csp.connectDomains: 1 entries are no origins'])
})

test('a blob is decoded, and types may be spaced', async () => {
  const blob = Buffer.from('<p>Grüße').toString('base64')
  const { html } = await loadApp(serving({ uri, mimeType: 'text/html; profile="mcp-app"', blob }), uri)
  expect(html).toBe('<p>Grüße')
})

test.each([
  ['another scheme', 'https://a', [{ uri, mimeType, text: '' }], 'invalid_argument', 'ui://'],
  ['nothing', uri, [], 'invalid_result', 'none'],
  ['another type', uri, [{ uri, mimeType: 'text/html', text: '' }], 'invalid_result', '"text/html"'],
  ['no type', uri, [{ uri, text: '' }], 'invalid_result', 'nothing'],
  ['no body', uri, [{ uri, mimeType }], 'invalid_result', 'text or blob'],
  ['too much text', uri, [{ uri, mimeType, text: 'x'.repeat(101) }], 'invalid_result', '100'],
  ['too large a blob', uri, [{ uri, mimeType, blob: 'AAAA'.repeat(1000) }], 'invalid_result', '100'],
  ['no base64', uri, [{ uri, mimeType, blob: '!' }], 'invalid_result', 'base64'],
  ['no UTF-8', uri, [{ uri, mimeType, blob: '/w==' }], 'invalid_result', 'UTF-8'],
])('a view with %s is refused', async (_what, asked, contents, code, message) => {
  const loading = loadApp(serving(...contents), asked, { maxHtmlLength: 100 })
  await expect(loading).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
})

const hostOrigins = ['https://chat.example']

// [xapp.csp.default] [xapp.sandbox.ready] [xapp.sandbox.no-own-requests]
test('the sandbox page denies everything unless its address says otherwise', () => {
  const { html, headers } = sandboxPage({ hostOrigins })
  expect(headers['content-security-policy']).toContain("connect-src 'none'; frame-src 'none';")
  expect(headers['content-security-policy']).toMatch(/frame-ancestors https:\/\/chat\.example$/)
  expect(html).toContain("content=\"default-src 'none'; ")
  expect(html).not.toMatch(/"id"|\bid:(?! message\.id)/)
})

test('what the address allows is in the policy, and nothing else gets in', () => {
  const base = new URL('https://sandbox.example/page?v=1')
  const allowed = withCsp(base, { connectDomains: ['https://a.example'] })
  expect(sandboxPage({ hostOrigins, url: allowed }).headers['content-security-policy']).toContain(
    'connect-src https://a.example;',
  )
  expect(allowed.searchParams.get('v')).toBe('1')
  expect(withCsp(base, {}).href).toBe(base.href)
  const evil = [
    '{"connectDomains":["*; script-src *"]}',
    '{"connectDomains":["https://a.example\\"><script>"]}',
    '{"connectDomains":"https://a.example"}',
    '[]',
    '{',
    `{"connectDomains":["https://${'a'.repeat(20_000)}"]}`,
  ]
  for (const csp of evil) {
    const page = sandboxPage({ hostOrigins, url: `/page?csp=${encodeURIComponent(csp)}` })
    expect(page).toEqual(sandboxPage({ hostOrigins }))
  }
})

test.each([
  [[]],
  [['*']],
  [['https://a.example/']],
  [['https://a.example; x']],
  [['null']],
  [['data:x']],
  ['https://a.example'],
])('the sandbox page is not made for the hosts %j', (origins) => {
  expect(() => sandboxPage({ hostOrigins: origins as string[] })).toThrow(
    expect.objectContaining({ code: 'invalid_argument', message: expect.stringContaining('hostOrigins') }),
  )
})
