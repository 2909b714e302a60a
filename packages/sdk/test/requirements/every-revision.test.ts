/** Requirements of every revision, shown in each: the same client, and servers that use the shapes of theirs. */
import { describe, expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import type { ConnectOptions } from '../../src/client/options.ts'
import {
  legacyServer,
  modernServer,
  type ScriptedServer,
  type ServerScript,
} from '../../src/client/scripted-server.suite.ts'
import type { JsonObject } from '../../src/jsonrpc/message.ts'
import type { ElicitResult } from '../../src/model/elicitation.ts'
import { metaKeys } from '../../src/model/meta.ts'
import { type Revision, revisions } from '../../src/model/revision.ts'
import type { CreateMessageParams, CreateMessageResult } from '../../src/model/sampling.ts'
import { createServer, tool } from '../../src/server.ts'
import { testClient } from '../../src/testing.ts'

const newest = '2026-07-28'
const withForms = revisions.filter((revision) => revision >= '2025-06-18')
const withSamplingTools = revisions.filter((revision) => revision >= '2025-11-25')

const serverOf = (revision: Revision, script: ServerScript): ScriptedServer =>
  revision === newest ? modernServer(script) : legacyServer(script, revision)

const sampled: CreateMessageResult = { role: 'assistant', content: { type: 'text', text: 'yes' }, model: 'm' }
const message = { role: 'user', content: { type: 'text', text: 'hi' } }
const sampling = { messages: [message], maxTokens: 10 }
const look = { name: 'look', inputSchema: { type: 'object' as const } }
const form = {
  message: 'Who?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
}

/** The answer of a client to an input request: a request of the server, or from 2026-07-28 on a part of a result. */
async function answerTo(
  revision: Revision,
  options: ConnectOptions,
  method: string,
  params: JsonObject = {},
): Promise<JsonObject | undefined> {
  let answer: JsonObject | undefined
  const call = ({ inputResponses }: JsonObject): JsonObject => {
    answer = (inputResponses as { q: JsonObject } | undefined)?.q
    return answer === undefined
      ? { resultType: 'input_required', inputRequests: { q: { method, params } }, requestState: 's' }
      : { resultType: 'complete', content: [] }
  }
  const server = serverOf(revision, revision === newest ? { 'tools/call': call } : {})
  await using client = await connect(server.open, { revisions: [revision], onError: () => {}, ...options })
  if (revision !== newest) return (await server.ask(method, params)).result
  await client.callTool('x').catch(() => undefined)
  return answer
}

/** The declared capabilities of a client, from their place in the revision. */
async function declared(revision: Revision, options: ConnectOptions): Promise<unknown> {
  const server = serverOf(revision, {})
  await using _client = await connect(server.open, { revisions: [revision], ...options })
  const params = server.received[0]!.params as { _meta?: JsonObject; capabilities?: JsonObject }
  return revision === newest ? params._meta?.[metaKeys.clientCapabilities] : params.capabilities
}

describe.each(revisions)('a client of %s', (revision) => {
  const reach = (server: ScriptedServer, options: ConnectOptions = {}) =>
    connect(server.open, { revisions: [revision], validate: 'off', ...options })

  // [page.missing-next-is-end] [page.both-flows] [page.no-fixed-size] [page.opaque] [prompts.client-pagination]
  test('follows pages of any size to the end, and gives cursors back as they came', async () => {
    const pages: { [cursor: string]: [string[], string?] } = {
      '': [['a', 'b', 'c'], ' not="yours"\n'],
      ' not="yours"\n': [[], 'Ünï'],
      Ünï: [['d']],
    }
    const server = serverOf(revision, {
      'prompts/list': ({ cursor = '' }) => {
        const [names, nextCursor] = pages[cursor as string]!
        return { prompts: names.map((name) => ({ name })), ...(nextCursor && { nextCursor }) }
      },
    })
    await using client = await reach(server)
    const found: string[] = []
    for await (const { name } of client.prompts()) found.push(name)
    expect(found).toEqual(['a', 'b', 'c', 'd'])
    expect((await client.listPrompts({ cursor: 'Ünï' })).prompts).toEqual([{ name: 'd' }])
  })

  // [tools.error.is-error-default] [tools.call.params]
  test('takes a result that says nothing of errors for a success', async () => {
    const server = serverOf(revision, { 'tools/call': { content: [], resultType: 'complete' } })
    await using client = await reach(server)
    expect(await client.callTool('add', { a: 1 })).toMatchObject({ isError: false })
    expect(server.all('tools/call')[0]?.params).toMatchObject({ name: 'add', arguments: { a: 1 } })
  })

  // [progress.token-unique] [progress.token-type] [meta.progress-token-key]
  test('has a token of its own for the progress of each call', async () => {
    const server: ScriptedServer = serverOf(revision, {
      'tools/call': ({ name, _meta }) => {
        const { progressToken } = _meta as { progressToken: number }
        server.notify('notifications/progress', { progressToken, progress: Number(name) })
        return { content: [], resultType: 'complete' }
      },
    })
    await using client = await reach(server)
    const heard = await Promise.all(
      [1, 2, 3].map(async (name) => {
        const seen: number[] = []
        await client.callTool(String(name), {}, { onProgress: ({ progress }) => seen.push(progress) })
        return seen
      }),
    )
    expect(heard).toEqual([[1], [2], [3]])
    const tokens = server.all('tools/call').map(({ params }) => (params!._meta as JsonObject).progressToken)
    expect(new Set(tokens).size).toBe(3)
    for (const token of tokens) expect(['string', 'number']).toContain(typeof token)
  })

  // [roots.capability] [sampling.capability]
  test('declares what it can do, and nothing else', async () => {
    expect(await declared(revision, {})).toEqual({})
    expect(await declared(revision, { roots: [], sample: () => sampled })).toEqual({
      // From 2026-07-28 on there is no notification of changes.
      roots: revision === newest ? {} : { listChanged: true },
      sampling: {},
    })
  })

  // [roots.list.result] [roots.uri.file-scheme] [roots.sec.path-traversal]
  test('gives roots that are files, and no others', async () => {
    const given = (uri: string) => answerTo(revision, { roots: () => [{ uri, name: 'work' }] }, 'roots/list')
    expect(await given('file:///work')).toEqual({ roots: [{ uri: 'file:///work', name: 'work' }] })
    for (const uri of ['https://example.com', '/home/ada', 'file:///home/../etc', 'file:///home/x%2F%2e%2E']) {
      expect(await given(uri)).toBeUndefined()
    }
  })

  // [sampling.result.fields]
  test('gives what its model said, and nothing that is no message', async () => {
    const said = (result: unknown) =>
      answerTo(revision, { sample: () => result as CreateMessageResult }, 'sampling/createMessage', sampling)
    expect(await said(sampled)).toEqual(sampled)
    for (const wrong of [
      undefined,
      { ...sampled, role: 'system' },
      { role: 'user', model: 'm' },
      { ...sampled, model: 1 },
    ]) {
      expect(await said(wrong)).toBeUndefined()
    }
  })
})

describe.each(withForms)('a user of %s', (revision) => {
  const filled = (result: unknown, params: JsonObject = form) =>
    answerTo(revision, { elicit: () => result as ElicitResult }, 'elicitation/create', params)

  // [elicit.request.mode-default] [elicit.result.actions] [elicit.result.content] [elicit.sec.decline-any-time]
  test('accepts with content, declines or dismisses without, and is asked by a form unless it says otherwise', async () => {
    expect(await filled({ action: 'accept', content: { name: 'Ada' } })).toEqual({
      action: 'accept',
      content: { name: 'Ada' },
    })
    expect(await filled({ action: 'decline', content: { name: 'Ada' } })).toEqual({ action: 'decline' })
    expect(await filled({ action: 'cancel' })).toEqual({ action: 'cancel' })
    expect(await filled({ action: 'ok' })).toBeUndefined()
  })

  // [elicit.result.content-values] [elicit.sec.client-validates]
  test('says nothing that the form does not allow', async () => {
    for (const content of [{}, { name: 5 }, { name: 'Ada', more: { x: 1 } }, { name: 'Ada', more: null }, 'Ada']) {
      expect(await filled({ action: 'accept', content })).toBeUndefined()
    }
  })
})

describe.each(withSamplingTools)('in %s', (revision) => {
  const model = (handler: () => CreateMessageResult, tools = true): ConnectOptions => ({ sample: { handler, tools } })
  const asked = (options: ConnectOptions, more: JsonObject) =>
    answerTo(revision, options, 'sampling/createMessage', { ...sampling, ...more })
  const use: CreateMessageResult = {
    role: 'assistant',
    model: 'm',
    stopReason: 'toolUse',
    content: [{ type: 'tool_use', id: 'u1', name: 'look', input: {} }],
  }
  const result = { type: 'tool_result', toolUseId: 'u1', content: [] }

  // [sampling.tools.capability] [elicit.capability] [elicit.capability-one-mode]
  test('a client says which tools and forms it knows', async () => {
    const decline = (): ElicitResult => ({ action: 'decline' })
    const parts = await declared(revision, { ...model(() => sampled), elicit: { url: decline } })
    expect(parts).toEqual({ sampling: { tools: {} }, elicitation: { url: {} } })
  })

  // [sampling.tools.client-error]
  test('a model without tools is not asked to use any', async () => {
    expect(
      await asked(
        model(() => sampled, false),
        { tools: [look] },
      ),
    ).toBeUndefined()
    expect(
      await asked(
        model(() => sampled, false),
        {},
      ),
    ).toEqual(sampled)
  })

  // [sampling.tools.choice-auto] [sampling.tools.choice-none]
  test('a model may use tools, unless it is told not to', async () => {
    expect(
      await asked(
        model(() => use),
        { tools: [look] },
      ),
    ).toEqual(use)
    expect(
      await asked(
        model(() => sampled),
        { tools: [look] },
      ),
    ).toEqual(sampled)
    expect(
      await asked(
        model(() => use),
        { tools: [look], toolChoice: { mode: 'none' } },
      ),
    ).toBeUndefined()
    expect(
      await asked(
        model(() => use),
        {},
      ),
    ).toBeUndefined()
  })

  // [sampling.tools.balance] [sampling.tools.results-only-message]
  // [sampling.error.missing-tool-result] [sampling.error.mixed-content]
  test('every use of a tool has its result, in a message of its own', async () => {
    const before = [message, { role: 'assistant', content: use.content }]
    const history = (...after: JsonObject[]) =>
      asked(
        model(() => sampled),
        { tools: [look], messages: [...before, ...after] },
      )
    expect(await history({ role: 'user', content: [result] })).toEqual(sampled)
    expect(await history(message)).toBeUndefined()
    expect(await history()).toBeUndefined()
    expect(await history({ role: 'user', content: [result, { type: 'text', text: 'and' }] })).toBeUndefined()
  })

  // [elicit.request.message] [elicit.form.params] [elicit.form.flat-schema] [elicit.server.handle-actions]
  test('a handler asks with a message and a flat form', async () => {
    const nested = { type: 'object', properties: { who: { type: 'object', properties: {} } } }
    const ask = (name: string, input: object) =>
      tool({ name, run: async (_, ctx) => (await ctx.elicit('Who are you?', input as never)).action })
    const server = createServer({
      name: 'a',
      version: '1',
      onError: () => {},
      tools: [ask('flat', form.requestedSchema), ask('deep', nested)],
    })
    const seen: unknown[] = []
    const elicit = (params: unknown): ElicitResult => {
      seen.push(params)
      return { action: 'decline' }
    }
    await using client = await testClient(server, { revision, elicit })
    expect((await client.callTool('flat')).text).toBe('decline')
    expect(seen).toMatchObject([{ message: 'Who are you?', requestedSchema: form.requestedSchema }])
    expect((await client.callTool('deep')).isError).toBe(true)
    expect(seen).toHaveLength(1)
  })

  // [elicit.url.valid] [elicit.url.accept-is-consent]
  test('a handler sends the user to a web page, and acceptance is no more than consent', async () => {
    const visit = (name: string, url: string) =>
      tool({ name, run: async (_, ctx) => JSON.stringify(await ctx.elicitUrl('Sign in', url)) })
    const tools = [visit('web', 'https://example.com/login'), visit('none', 'example.com/login')]
    const accept = (): ElicitResult => ({ action: 'accept' })
    const elicit = { url: accept }
    await using client = await testClient(createServer({ name: 'a', version: '1', onError: () => {}, tools }), {
      revision,
      elicit,
    })
    const { text } = await client.callTool('web')
    expect(JSON.parse(text)).toMatchObject({ action: 'accept' })
    expect(text).not.toContain('content')
    expect((await client.callTool('none')).isError).toBe(true)
  })

  // [sampling.request.required] [sampling.pref.priority-range] [sampling.tools.result-id] [sampling.tools.server-answers-all]
  // [sampling.tools.results-only-message] [sampling.tools.balance] [sampling.tools.server-respects]
  test('a handler asks a model with messages and a limit, and answers each use of a tool by its id', async () => {
    const seen: CreateMessageParams[] = []
    const think = tool({
      name: 'think',
      async run(_, ctx) {
        const first = { role: 'user' as const, content: { type: 'text' as const, text: 'How high?' } }
        const params = { maxTokens: 5, tools: [look], modelPreferences: { speedPriority: 1 } }
        const { content } = await ctx.sample({ ...params, messages: [first] })
        const uses = [content].flat().filter((block) => block.type === 'tool_use')
        const results = uses.map(({ id }) => ({ type: 'tool_result' as const, toolUseId: id, content: [] }))
        const messages = [
          first,
          { role: 'assistant' as const, content: uses },
          { role: 'user' as const, content: results },
        ]
        return (await ctx.sample({ ...params, messages })).text
      },
    })
    const rude = tool({
      name: 'rude',
      run: async (_, ctx) =>
        (await ctx.sample({ messages: [], maxTokens: 5, modelPreferences: { costPriority: 7 } })).text,
    })
    const handler = (params: CreateMessageParams): CreateMessageResult => {
      seen.push(params)
      return seen.length === 1 ? use : sampled
    }
    const server = createServer({ name: 'a', version: '1', onError: () => {}, tools: [think, rude] })
    await using client = await testClient(server, { revision, sample: { handler, tools: true } })
    expect((await client.callTool('think')).text).toBe('yes')
    expect(seen[0]).toMatchObject({ messages: [{ role: 'user' }], maxTokens: 5 })
    expect(seen[1]!.messages[2]).toEqual({ role: 'user', content: [{ ...result }] })
    expect((await client.callTool('rude')).isError).toBe(true)
    expect(seen).toHaveLength(2)
  })
})
