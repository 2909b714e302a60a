import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../jsonrpc/message.ts'
import { metaKeys } from '../model/meta.ts'
import type { Revision } from '../model/revision.ts'
import { revisions } from '../model/revision.ts'
import { codecFor } from './codecs.ts'

const latest = codecFor('2025-11-25')
const modern = codecFor('2026-07-28')
const read = (method: string, params?: JsonObject) => latest.decodeParams(method, params)
const result = (method: string, value: JsonObject, revision: Revision = '2025-11-25') =>
  codecFor(revision).decodeResult(method, value)

describe('wrong params', () => {
  test.each<[string, JsonObject | undefined, string]>([
    ['tools/call', { name: 1 }, 'tools/call params.name: expected a string, got number'],
    ['tools/call', undefined, 'tools/call params.name: expected a string, got nothing'],
    ['tools/call', { name: 'a', arguments: [] }, 'tools/call params.arguments: expected an object, got an array'],
    ['tools/call', { name: 'a', _meta: 1 }, 'tools/call params._meta: expected an object, got number'],
    [
      'tools/call',
      { name: 'a', _meta: { progressToken: 1.5 } },
      'tools/call params._meta.progressToken: expected a string or an integer, got number',
    ],
    ['resources/read', {}, 'resources/read params.uri: expected a string, got nothing'],
    ['resources/subscribe', { uri: null }, 'resources/subscribe params.uri: expected a string, got null'],
    [
      'prompts/get',
      { name: 'a', arguments: { b: 1 } },
      'prompts/get params.arguments["b"]: expected a string, got number',
    ],
    ['tools/list', { cursor: 1 }, 'tools/list params.cursor: expected a string, got number'],
    [
      'completion/complete',
      { ref: { type: 'ref/x' } },
      'completion/complete params.ref.type: expected one of ref/prompt, ref/resource, got "ref/x"',
    ],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt' } },
      'completion/complete params.ref.name: expected a string, got nothing',
    ],
    [
      'logging/setLevel',
      { level: 'loud' },
      'logging/setLevel params.level: expected one of debug, info, notice, warning, error, critical, alert, emergency, got "loud"',
    ],
    [
      'initialize',
      { protocolVersion: '1', capabilities: {}, clientInfo: {} },
      'initialize params.clientInfo.name: expected a string, got nothing',
    ],
    [
      'elicitation/create',
      { mode: 'fax', message: 'm' },
      'elicitation/create params.mode: expected one of form, url, got "fax"',
    ],
    [
      'sampling/createMessage',
      { messages: [{ role: 'user', content: [{ type: 'text' }] }], maxTokens: 1 },
      'sampling/createMessage params.messages[0].content[0].text: expected a string, got nothing',
    ],
    [
      'notifications/progress',
      { progressToken: 'a', progress: '1' },
      'notifications/progress params.progress: expected a number, got string',
    ],
  ])('%s %j is refused by name', (method, params, message) => {
    expect(() => read(method, params)).toThrow(expect.objectContaining({ name: 'RpcError', code: -32602, message }))
  })
})

describe('wrong results', () => {
  test.each<[string, JsonObject, string]>([
    ['tools/list', {}, 'tools/list result.tools: expected an array, got nothing'],
    [
      'tools/list',
      { tools: [{ name: 'a', inputSchema: {} }, { inputSchema: {} }] },
      'tools/list result.tools[1].name: expected a string, got nothing',
    ],
    ['tools/list', { tools: ['a'] }, 'tools/list result.tools[0]: expected an object, got string'],
    ['tools/call', {}, 'tools/call result.content: expected an array, got nothing'],
    ['tools/call', { content: [{ text: 'a' }] }, 'tools/call result.content[0].type: expected a string, got nothing'],
    [
      'tools/call',
      { content: [{ type: 'image', data: 'a' }] },
      'tools/call result.content[0].mimeType: expected a string, got nothing',
    ],
    [
      'resources/read',
      { contents: [{ uri: 'a' }] },
      'resources/read result.contents[0]: expected a string text or blob, got neither',
    ],
    [
      'elicitation/create',
      { action: 'accept', content: { a: { b: 1 } } },
      'elicitation/create result.content["a"]: expected a string, number, boolean or array, got an object',
    ],
    [
      'completion/complete',
      { completion: { values: [1] } },
      'completion/complete result.completion.values[0]: expected a string, got number',
    ],
  ])('%s %j is refused by name', (method, value, message) => {
    expect(() => result(method, value)).toThrow(
      expect.objectContaining({ name: 'McpError', code: 'invalid_result', message }),
    )
  })
})

describe('tolerance', () => {
  test('what needs no change comes back as the same object, with members that nobody knows', () => {
    const params = { name: 'a', arguments: { b: null }, unknown: 1, _meta: { progressToken: 'x', y: 1 } }
    expect(read('tools/call', params)).toBe(params)
    const answer = { content: [{ type: 'text', text: 'a', x: 1 }, { type: 'hologram' }], structuredContent: 1, x: null }
    expect(result('tools/call', answer)).toBe(answer)
  })

  test('methods that are nobody’s pass', () => {
    const value = { a: 1 }
    for (const revision of revisions) {
      expect(codecFor(revision).decodeParams('x/custom', value)).toBe(value)
      expect(codecFor(revision).decodeResult('x/custom', value)).toBe(value)
      expect(codecFor(revision).decodeParams('toString', value)).toBe(value)
      expect(codecFor(revision).decodeResult('constructor', value)).toBe(value)
    }
    expect(read('x/custom')).toEqual({})
  })

  test('null stands for an optional member that is absent', () => {
    expect(read('tools/call', { name: 'a', arguments: null })).toEqual({ name: 'a' })
    expect(result('tools/list', { tools: [], nextCursor: null })).toEqual({ tools: [] })
    expect(result('elicitation/create', { action: 'accept', content: { a: null, b: 1 } })).toEqual({
      action: 'accept',
      content: { b: 1 },
    })
  })

  test('null is structured content in 2026-07-28 only', () => {
    const answer = { content: [], structuredContent: null }
    expect(result('tools/call', answer, '2026-07-28')).toBe(answer)
    expect(result('tools/call', answer, '2025-11-25')).toEqual({ content: [] })
  })

  test('a tool result without content counts if it says something else', () => {
    expect(result('tools/call', { structuredContent: { a: 1 } })).toEqual({ structuredContent: { a: 1 }, content: [] })
    expect(result('tools/call', { toolResult: 1 })).toEqual({ toolResult: 1, content: [] })
  })

  test('an implementation may forget its version', () => {
    const params = { protocolVersion: '1', capabilities: {}, clientInfo: { name: 'a' } }
    expect(read('initialize', params).clientInfo).toEqual({ name: 'a', version: '' })
  })

  test('a name that objects inherit is not there', () => {
    expect(() => read('tools/call', Object.create({ name: 'inherited' }))).toThrow('params.name')
  })
})

describe('capabilities', () => {
  const declared = (revision: Revision, capabilities: JsonObject) =>
    codecFor(revision).decodeParams('initialize', {
      protocolVersion: 'x',
      capabilities,
      clientInfo: { name: 'a', version: '' },
    }).capabilities

  test('elicitation without a mode means forms', () => {
    expect(declared('2025-11-25', { elicitation: {} })).toEqual({ elicitation: { form: {} } })
    expect(declared('2025-11-25', { elicitation: { url: {} } })).toEqual({ elicitation: { url: {} } })
    expect(declared('2025-06-18', { elicitation: {} })).toEqual({ elicitation: { form: {} } })
  })

  test('what was offered for a newer revision does not count in an older one', () => {
    const capabilities = { sampling: { tools: {} }, elicitation: { form: {}, url: {} }, roots: { listChanged: true } }
    expect(declared('2025-11-25', capabilities)).toEqual(capabilities)
    expect(declared('2025-06-18', capabilities)).toEqual({
      sampling: {},
      elicitation: { form: {} },
      roots: { listChanged: true },
    })
    expect(declared('2025-03-26', capabilities)).toEqual({ sampling: {}, roots: { listChanged: true } })
  })

  test('every server of 2024-11-05 may be asked for completions', () => {
    const answer = { protocolVersion: '2024-11-05', capabilities: {}, serverInfo: { name: 's', version: '1' } }
    expect(result('initialize', answer, '2024-11-05').capabilities).toEqual({ completions: {} })
    expect(result('initialize', answer, '2025-03-26').capabilities).toEqual({})
  })
})

describe('2026-07-28', () => {
  const meta = { [metaKeys.protocolVersion]: '2026-07-28', [metaKeys.clientCapabilities]: { elicitation: {} } }

  test('every request says its version and capabilities', () => {
    const refused = (_meta: unknown, message: string) =>
      expect(() => modern.decodeParams('tools/list', { _meta })).toThrow(
        expect.objectContaining({ code: -32602, message: `tools/list params._meta${message}` }),
      )
    refused(undefined, ': expected an object, got nothing')
    refused({}, '.io.modelcontextprotocol/protocolVersion: expected a string, got nothing')
    refused(
      { ...meta, [metaKeys.clientCapabilities]: [] },
      '.io.modelcontextprotocol/clientCapabilities: expected an object, got an array',
    )
  })

  test('capabilities arrive in the model’s words', () => {
    const params = modern.decodeParams('tools/list', { _meta: meta })
    expect(params).toEqual({ _meta: { ...meta, [metaKeys.clientCapabilities]: { elicitation: { form: {} } } } })
  })

  test('input requests and notifications carry no such thing', () => {
    expect(modern.decodeParams('roots/list', undefined)).toEqual({})
    expect(modern.decodeParams('notifications/tools/list_changed', undefined)).toEqual({})
  })

  test('a result without type is complete, one of unknown type is refused', () => {
    expect(modern.decodeResult('tools/list', { tools: [] })).toEqual({ tools: [] })
    expect(() => modern.decodeResult('tools/list', { tools: [], resultType: 'x' })).toThrow(
      'tools/list result.resultType: expected "complete", got "x"',
    )
    expect(() => modern.decodeResult('tools/list', { resultType: 'input_required' })).toThrow('resultType')
  })

  test('a request for input passes, for the client to answer', () => {
    const asked = { resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } }, requestState: 's' }
    expect(modern.decodeResult('tools/call', asked)).toBe(asked)
    expect(() => modern.decodeResult('tools/call', { ...asked, inputRequests: { a: {} } })).toThrow(
      'tools/call result.inputRequests["a"].method: expected a string, got nothing',
    )
  })
})
