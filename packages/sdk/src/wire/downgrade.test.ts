import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { modelParams, modelResults } from '../../test/model-arbitrary.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { Revision } from '../model/revision.ts'
import { revisions } from '../model/revision.ts'
import { codecFor, hasHandshake } from './codecs.ts'
import { serverInfoMeta, serverInfoOf, withServerInfo } from './server-info.ts'

const said = (revision: Revision, method: string, result: JsonObject) => codecFor(revision).encodeResult(method, result)
const asked = (revision: Revision, method: string, params: JsonObject) =>
  codecFor(revision).encodeParams(method, params)
const legacy = revisions.filter(hasHandshake)
const since = (oldest: Revision) => revisions.filter((revision) => revision >= oldest)
const olderThan = (newest: Revision) => revisions.filter((revision) => revision < newest)

const icons = [{ src: 'https://example.com/i.png' }]
const text = (words: string) => ({ type: 'text', text: words })

describe('nothing is copied without need', () => {
  test.each(legacy)('a tool result of text is the same object in %s', (revision) => {
    const result = { content: [text('a'), text('b')], isError: false, _meta: { a: 1 } }
    expect(said(revision, 'tools/call', result)).toBe(result)
  })

  test.each(revisions)('what every revision can say stays the same object in %s', (revision) => {
    const unchanged: [string, JsonObject][] = [
      ['tools/call', { name: 'add', arguments: { title: 't', icons }, _meta: { progressToken: 1 } }],
      ['notifications/progress', { progressToken: 1, progress: 1, total: 2 }],
      ['sampling/createMessage', { messages: [{ role: 'user', content: text('hi') }], maxTokens: 1 }],
      [
        'elicitation/create',
        { message: 'm', requestedSchema: { type: 'object', properties: { a: { type: 'string' } } } },
      ],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } }],
      ['x/custom', { title: 't', _meta: {} }],
    ]
    for (const [method, params] of unchanged) expect(asked(revision, method, params)).toBe(params)
    const roots = { roots: [{ uri: 'file:///a' }] }
    expect(said(revision, 'roots/list', roots)).toBe(roots)
  })

  test('encoding what was encoded changes nothing', () => {
    for (const revision of revisions) {
      const codec = codecFor(revision)
      for (const [method, params] of Object.entries(modelParams)) {
        fc.assert(
          fc.property(params, (value) => {
            const once = codec.encodeParams(method, value)
            expect(codec.encodeParams(method, once)).toBe(once)
          }),
          { numRuns: 10 },
        )
      }
      for (const [method, result] of Object.entries(modelResults)) {
        fc.assert(
          fc.property(result, (value) => {
            const once = codec.encodeResult(method, value)
            expect(codec.encodeResult(method, once)).toEqual(once)
          }),
          { numRuns: 10 },
        )
      }
    }
  })
})

describe('tools', () => {
  const tool = {
    name: 'n',
    title: 'Title',
    description: 'd',
    inputSchema: { type: 'object', properties: { any: true, none: false, text: { type: 'string' } } },
    outputSchema: { type: 'object', properties: { any: true } },
    annotations: { readOnlyHint: true },
    icons,
    _meta: { a: 1 },
  }
  const listed = (revision: Revision, one: JsonObject = tool) =>
    (said(revision, 'tools/list', { tools: [one] }).tools as JsonObject[])[0]!

  test('2026-07-28 says everything', () => expect(listed('2026-07-28')).toBe(tool))

  test('boolean schemas of properties are spelled out before 2026-07-28', () => {
    expect(listed('2025-11-25')).toEqual({
      ...tool,
      inputSchema: { type: 'object', properties: { any: {}, none: { not: {} }, text: { type: 'string' } } },
      outputSchema: { type: 'object', properties: { any: {} } },
    })
  })

  test('icons come with 2025-11-25, titles and output schemas with 2025-06-18, annotations with 2025-03-26', () => {
    const { icons: _, ...june } = listed('2025-11-25')
    expect(listed('2025-06-18')).toEqual(june)
    const { title, outputSchema: __, _meta, ...march } = june
    expect(listed('2025-03-26')).toEqual({ ...march, annotations: { title: 'Title', readOnlyHint: true } })
    const { annotations: ___, ...november } = march
    expect(listed('2024-11-05')).toEqual(november)
  })

  test('a title that annotations have already is not replaced', () => {
    expect(listed('2025-03-26', { ...tool, annotations: { title: 'Own' } }).annotations).toEqual({ title: 'Own' })
  })

  test.each(olderThan('2026-07-28'))(
    'the root of an output schema is an object in %s, where it has one',
    (revision) => {
      for (const outputSchema of [{ type: 'array' }, { $ref: '#/$defs/a' }, { type: ['object', 'null'] }]) {
        const { outputSchema: root = { type: 'object' } } = listed(revision, { ...tool, outputSchema })
        expect(root).toMatchObject({ type: 'object' })
      }
    },
  )

  test('a property called __proto__ survives', () => {
    const properties = JSON.parse('{"__proto__":true,"a":false}')
    const encoded = listed('2025-11-25', { name: 'n', inputSchema: { type: 'object', properties } })
    expect(JSON.stringify(encoded.inputSchema)).toBe('{"type":"object","properties":{"__proto__":{},"a":{"not":{}}}}')
  })
})

describe('tool results', () => {
  const link = {
    type: 'resource_link',
    uri: 'file:///r.csv',
    name: 'r.csv',
    title: 'Report',
    description: 'Numbers',
    mimeType: 'text/csv',
    icons,
    annotations: { priority: 1, lastModified: '2025-01-01' },
  }
  const content = (revision: Revision, ...blocks: JsonObject[]) =>
    said(revision, 'tools/call', { content: blocks }).content as JsonObject[]

  test('a resource link is named in text before 2025-06-18', () => {
    expect(content('2025-11-25', link)).toEqual([link])
    expect(content('2025-06-18', link)[0]).not.toHaveProperty('icons')
    for (const revision of olderThan('2025-06-18')) {
      expect(content(revision, link)).toEqual([
        { type: 'text', text: 'Resource Report (file:///r.csv, text/csv): Numbers', annotations: { priority: 1 } },
      ])
    }
  })

  test('sound is named in text in 2024-11-05, without its data', () => {
    const audio = { type: 'audio', data: 'AAAAAAA=', mimeType: 'audio/wav' }
    expect(content('2025-03-26', audio)).toEqual([audio])
    expect(content('2024-11-05', audio)).toEqual([text('[audio: audio/wav, 5 bytes]')])
  })

  test('embedded resources lose their _meta before 2025-06-18', () => {
    const resource = { uri: 'file:///a', text: 'a', _meta: { a: 1 } }
    const block = { type: 'resource', resource, _meta: { b: 1 } }
    expect(content('2025-06-18', block)).toEqual([block])
    expect(content('2025-03-26', block)).toEqual([{ type: 'resource', resource: { uri: 'file:///a', text: 'a' } }])
  })

  test('structured content reaches older peers as text, unless text is there', () => {
    const structuredContent = { a: 1 }
    const audio = { type: 'audio', data: '', mimeType: 'audio/wav' }
    expect(said('2025-06-18', 'tools/call', { content: [], structuredContent })).toEqual({
      content: [],
      structuredContent,
    })
    for (const revision of olderThan('2025-06-18')) {
      expect(said(revision, 'tools/call', { content: [], structuredContent })).toEqual({ content: [text('{"a":1}')] })
      expect(said(revision, 'tools/call', { content: [text('one')], structuredContent })).toEqual({
        content: [text('one')],
      })
      const { content: blocks } = said(revision, 'tools/call', { content: [audio], structuredContent })
      expect((blocks as unknown[])[1]).toEqual(text('{"a":1}'))
    }
  })

  test('structured content that is not an object exists from 2026-07-28', () => {
    const result = { content: [], structuredContent: [1] }
    expect(said('2026-07-28', 'tools/call', result)).toEqual({ ...result, resultType: 'complete' })
    for (const revision of ['2025-11-25', '2025-06-18'] as const) {
      expect(said(revision, 'tools/call', result)).toEqual({
        content: [text('[1]')],
        structuredContent: { result: [1] },
      })
    }
    expect(said('2025-03-26', 'tools/call', result)).toEqual({ content: [text('[1]')] })
  })

  test('what cannot be JSON does not make encoding throw', () => {
    const cycle: JsonObject = {}
    cycle.self = cycle
    expect(said('2025-03-26', 'tools/call', { content: [], structuredContent: cycle }).content).toEqual([text('')])
    expect(said('2025-03-26', 'tools/call', { content: [null, 1, 'x'] }).content).toEqual([null, 1, 'x'])
  })
})

describe('results of 2026-07-28', () => {
  const cacheable = [
    'server/discover',
    'tools/list',
    'prompts/list',
    'resources/list',
    'resources/templates/list',
    'resources/read',
  ]

  test.each(cacheable)('%s says how long it may be kept', (method) => {
    const defaults = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
    expect(said('2026-07-28', method, {})).toEqual(defaults)
    expect(said('2026-07-28', method, { ttlMs: 5, cacheScope: 'public' })).toEqual({
      resultType: 'complete',
      ttlMs: 5,
      cacheScope: 'public',
    })
    expect(said('2026-07-28', method, { ttlMs: -1.5 })).toEqual(defaults)
  })

  test.each(legacy)('%s does not say it', (revision) => {
    const result = { tools: [], ttlMs: 1, cacheScope: 'public', resultType: 'complete' }
    expect(said(revision, 'tools/list', result)).toEqual({ tools: [] })
  })

  test('every result says its type, except answers to input requests', () => {
    expect(said('2026-07-28', 'completion/complete', {})).toEqual({ resultType: 'complete' })
    expect(said('2026-07-28', 'x/custom', {})).toEqual({ resultType: 'complete' })
    expect(said('2026-07-28', 'x/custom', { resultType: 'task' })).toEqual({ resultType: 'task' })
    for (const method of ['roots/list', 'sampling/createMessage', 'elicitation/create']) {
      expect(said('2026-07-28', method, {})).toEqual({})
    }
  })

  test('requests for input are encoded inside the result, which cannot be kept', () => {
    const params = { mode: 'url', message: 'm', url: 'https://example.com', elicitationId: '1' }
    const inputRequests = { a: { method: 'elicitation/create', params }, b: { method: 'roots/list' } }
    const result = said('2026-07-28', 'resources/read', { resultType: 'input_required', inputRequests })
    const { elicitationId: _, ...kept } = params
    expect(result).toEqual({
      resultType: 'input_required',
      inputRequests: { ...inputRequests, a: { method: 'elicitation/create', params: kept } },
    })
  })

  test('who answered can be put in and read again', () => {
    const info = { name: 's', version: '1' }
    const result = withServerInfo({ _meta: { a: 1 } }, serverInfoMeta(info))
    expect(result).toEqual({ _meta: { a: 1, 'io.modelcontextprotocol/serverInfo': info } })
    expect(serverInfoOf(result)).toBe(info)
    expect(serverInfoOf({})).toBeUndefined()
  })
})

describe('capabilities and identity', () => {
  const identity = { name: 'n', version: '1', title: 't', description: 'd', websiteUrl: 'https://example.com', icons }
  const offer = (revision: Revision, capabilities: JsonObject) =>
    asked(revision, 'initialize', { protocolVersion: revision, capabilities, clientInfo: identity })

  test('an implementation has a title from 2025-06-18 and a description from 2025-11-25', () => {
    expect(offer('2025-11-25', {}).clientInfo).toEqual(identity)
    expect(offer('2025-06-18', {}).clientInfo).toEqual({ name: 'n', version: '1', title: 't' })
    expect(offer('2025-03-26', {}).clientInfo).toEqual({ name: 'n', version: '1' })
  })

  test('client capabilities shrink with the revision', () => {
    const capabilities = {
      roots: { listChanged: true },
      sampling: { tools: {}, context: {} },
      elicitation: { form: {}, url: {} },
      extensions: { a: {} },
    }
    expect(offer('2025-11-25', capabilities).capabilities).toEqual(capabilities)
    const june = { roots: { listChanged: true }, sampling: {}, elicitation: {}, extensions: { a: {} } }
    expect(offer('2025-06-18', capabilities).capabilities).toEqual(june)
    const { elicitation: _, extensions: __, ...march } = june
    expect(offer('2025-03-26', capabilities).capabilities).toEqual(march)
    expect(offer('2025-06-18', { elicitation: { url: {} } }).capabilities).toEqual({})
  })

  test('2026-07-28 has no changing roots', () => {
    const key = 'io.modelcontextprotocol/clientCapabilities'
    const params = { name: 't', _meta: { [key]: { roots: { listChanged: true } } } }
    expect(asked('2026-07-28', 'tools/call', params)).toEqual({ name: 't', _meta: { [key]: { roots: {} } } })
  })

  test('server capabilities shrink with the revision', () => {
    const capabilities = { tools: { listChanged: true }, completions: {}, extensions: { a: {} } }
    const declared = (revision: Revision) => said(revision, 'initialize', { capabilities }).capabilities
    expect(declared('2025-11-25')).toEqual(capabilities)
    expect(declared('2025-03-26')).toEqual({ tools: { listChanged: true }, completions: {} })
    expect(declared('2024-11-05')).toEqual({ tools: { listChanged: true } })
  })
})

describe('sampling', () => {
  const use = { type: 'tool_use', id: '1', name: 'add', input: { a: 1 } }
  const answer = { type: 'tool_result', toolUseId: '1', content: [text('2')], structuredContent: { sum: 2 } }
  const params = {
    messages: [
      { role: 'assistant', content: [text('calling'), use] },
      { role: 'user', content: answer },
    ],
    maxTokens: 5,
    tools: [{ name: 'add', inputSchema: { type: 'object' } }],
    toolChoice: { mode: 'auto' },
  }

  test.each(since('2025-11-25'))('tools can be used in %s', (revision) => {
    expect(asked(revision, 'sampling/createMessage', params)).toBe(params)
  })

  test.each(olderThan('2025-11-25'))('tools are told in text in %s', (revision) => {
    expect(asked(revision, 'sampling/createMessage', params)).toEqual({
      messages: [
        { role: 'assistant', content: text('calling') },
        { role: 'assistant', content: text('[call 1 of tool add: {"a":1}]') },
        { role: 'user', content: text('[result of call 1]\n2') },
      ],
      maxTokens: 5,
    })
  })

  test('several blocks of a result become one text', () => {
    const result = {
      role: 'assistant',
      model: 'm',
      content: [text('a'), { type: 'image', data: 'AAAA', mimeType: 'image/png' }],
    }
    expect(said('2025-06-18', 'sampling/createMessage', result).content).toEqual(
      text('a\n\n[image: image/png, 3 bytes]'),
    )
    expect(said('2025-06-18', 'sampling/createMessage', { ...result, content: [use] }).content).toEqual(
      text('[call 1 of tool add: {"a":1}]'),
    )
  })

  test('sound is named in 2024-11-05', () => {
    const content = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }
    const encoded = asked('2024-11-05', 'sampling/createMessage', {
      messages: [{ role: 'user', content }],
      maxTokens: 1,
    })
    expect(encoded.messages).toEqual([{ role: 'user', content: text('[audio: audio/wav, 3 bytes]') }])
  })
})

test('progress has words from 2025-03-26, completion a context from 2025-06-18', () => {
  const progress = { progressToken: 1, progress: 1, message: 'm' }
  expect(asked('2025-03-26', 'notifications/progress', progress)).toBe(progress)
  expect(asked('2024-11-05', 'notifications/progress', progress)).toEqual({ progressToken: 1, progress: 1 })
  const complete = {
    ref: { type: 'ref/prompt', name: 'p', title: 't' },
    argument: { name: 'a', value: '' },
    context: { arguments: {} },
  }
  expect(asked('2025-06-18', 'completion/complete', complete)).toBe(complete)
  expect(asked('2025-03-26', 'completion/complete', complete)).toEqual({
    ref: { type: 'ref/prompt', name: 'p' },
    argument: { name: 'a', value: '' },
  })
})
