import { expect, test } from 'vitest'
import { metaKeys } from '../model/meta.ts'
import { requestHeaders } from './request-headers.ts'

const common = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
const stateless = { [metaKeys.protocolVersion]: '2026-07-28' }
const request = (method: string, params = {}) => ({ jsonrpc: '2.0' as const, id: 1, method, params })

test('a request of a session has its id, and its revision from 2025-06-18 on', () => {
  const options = { revision: '2025-06-18', session: 'abc', inputSchema: {} }
  expect(requestHeaders(request('ping'), options)).toEqual({
    ...common,
    'MCP-Protocol-Version': '2025-06-18',
    'Mcp-Session-Id': 'abc',
  })
  expect(requestHeaders(request('ping'), { ...options, revision: '2025-03-26' })).toEqual({
    ...common,
    'Mcp-Session-Id': 'abc',
  })
  expect(requestHeaders(request('ping'))).toEqual(common)
})

test('initialize belongs to no session yet', () =>
  expect(requestHeaders(request('initialize'), { revision: '2025-11-25', session: 'abc' })).toEqual(common))

test('a stateless request repeats its method, its name and the annotated arguments', () => {
  const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } }
  const params = { name: 'buy', arguments: { region: 'Köln' }, _meta: stateless }
  expect(
    requestHeaders(request('tools/call', params), { revision: '2025-11-25', session: 'abc', inputSchema }),
  ).toEqual({
    ...common,
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call',
    'Mcp-Name': 'buy',
    'Mcp-Param-Region': '=?base64?S8O2bG4=?=',
  })
  expect(requestHeaders(request('tasks/get', { taskId: 't1', _meta: stateless }))).toMatchObject({ 'Mcp-Name': 't1' })
})
