import { describe, expect, test } from 'vitest'
import { validateMessage } from './wire-schema.ts'

const jsonrpc = '2.0'
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

describe('the message validator', () => {
  test('accepts what a revision allows', () => {
    const methodOf = () => 'tools/call'
    const batch = [{ jsonrpc, id: 1, method: 'ping' }]
    const listed = { jsonrpc, id: 1, method: 'tools/list', params: { _meta: meta } }
    expect(validateMessage('2025-03-26', 'client', batch)).toEqual([])
    expect(validateMessage('2026-07-28', 'client', listed)).toEqual([])
    expect(validateMessage('2025-06-18', 'server', { jsonrpc, id: 1, result: { content: [] } }, { methodOf })).toEqual(
      [],
    )
    expect(validateMessage('2025-11-25', 'server', { jsonrpc, error: { code: -32700, message: 'm' } })).toEqual([])
    expect(validateMessage('2025-11-25', 'client', { jsonrpc, id: 1, method: 'x/custom' })).toEqual([])
  })

  test.each([
    ['2025-06-18', 'client', [{ jsonrpc, id: 1, method: 'ping' }], 'no batches'],
    ['2025-06-18', 'client', { id: 1, method: 'ping' }, 'jsonrpc'],
    ['2025-06-18', 'client', { jsonrpc, id: 1, method: 'tools/call', params: {} }, 'name'],
    ['2026-07-28', 'client', { jsonrpc, id: 1, method: 'tools/list', params: {} }, '_meta'],
    ['2025-06-18', 'server', { jsonrpc, id: 1, method: 'tools/list' }, 'not sent by the server'],
    ['2025-06-18', 'client', { jsonrpc, method: 'tools/list' }, 'is a request'],
    ['2026-07-28', 'server', { jsonrpc, id: 1, method: 'roots/list' }, 'not a message of its own'],
    ['2025-06-18', 'server', { jsonrpc, error: { code: 1, message: 'm' } }, 'id'],
    ['2026-07-28', 'server', { jsonrpc, id: 1, error: { code: -32022, message: 'm' } }, 'data'],
    ['2025-11-25', 'server', { jsonrpc, id: 1, error: { code: -32022, message: 'm' } }, 'no error'],
    ['2025-06-18', 'server', { jsonrpc, id: 1, result: {} }, 'content'],
    ['2026-07-28', 'server', { jsonrpc, id: 1, result: { content: [] } }, 'resultType'],
    ['2026-07-28', 'client', { jsonrpc, id: 1, result: { resultType: 'complete' } }, 'no responses'],
  ] as const)('refuses in %s from the %s: %j', (revision, sender, message, problem) => {
    const problems = validateMessage(revision, sender, message, { methodOf: () => 'tools/call' })
    expect(problems.join('\n')).toContain(problem)
  })
})
