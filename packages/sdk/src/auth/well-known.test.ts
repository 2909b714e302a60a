import { expect, test } from 'vitest'
import { coversServer, issuerMetadataUrls, resourceMetadataUrls } from './well-known.ts'

const paths = (urls: URL[]): string[] => urls.map(({ href }) => href)

test('resource metadata: for the path first, then for the origin [auth.prm.client-well-known-order]', () => {
  expect(paths(resourceMetadataUrls(new URL('https://a.example/x/mcp?q')))).toEqual([
    'https://a.example/.well-known/oauth-protected-resource/x/mcp',
    'https://a.example/.well-known/oauth-protected-resource',
  ])
  expect(paths(resourceMetadataUrls(new URL('https://a.example/')))).toHaveLength(1)
})

test('an issuer with a path has three places [auth.asmeta.order-with-path]', () => {
  expect(paths(issuerMetadataUrls(new URL('https://a.example/t/1/')))).toEqual([
    'https://a.example/.well-known/oauth-authorization-server/t/1',
    'https://a.example/.well-known/openid-configuration/t/1',
    'https://a.example/t/1/.well-known/openid-configuration',
  ])
})

test('an issuer without a path has two [auth.asmeta.order-without-path]', () => {
  expect(paths(issuerMetadataUrls(new URL('https://a.example')))).toEqual([
    'https://a.example/.well-known/oauth-authorization-server',
    'https://a.example/.well-known/openid-configuration',
  ])
})

test.each<[string, boolean]>([
  ['https://a.example/mcp', true],
  ['https://a.example', true],
  ['https://a.example/', true],
  ['https://A.example/mcp', true],
  ['https://a.example/mc', false],
  ['https://a.example/mcp/other', false],
  ['https://a.example/mcp#', false],
  ['https://a.example/mcp?tenant=2', false],
  ['http://a.example/mcp', false],
  ['https://b.example/mcp', false],
  ['https://a.example.evil.example/mcp', false],
  ['mcp', false],
])('metadata of %s is about https://a.example/mcp: %s', (resource, covers) => {
  expect(coversServer(resource, new URL('https://a.example/mcp'))).toBe(covers)
})
