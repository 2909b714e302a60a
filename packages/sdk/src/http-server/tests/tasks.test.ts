import { afterEach, describe, expect, test } from 'vitest'
import { tasksExtension } from '../../model/tasks.ts'
import { tool } from '../../server/features/tool.ts'
import { createServer } from '../../server/server.ts'
import { serveHttp } from '../serve-http.ts'
import { adapters } from './adapters.suite.ts'
import {
  EventReader,
  type HeaderMap,
  type Served,
  SessionClient,
  statelessMeta,
  statelessRequest,
} from './http.suite.ts'

const form = { type: 'object', properties: { name: { type: 'string' } } } as const
const asking = tool({
  name: 'asking',
  task: true,
  run: async (_, ctx) => `${(await ctx.elicit('Your name?', form)).content?.name}`,
})
const server = () => createServer({ name: 'test', version: '1', tools: [asking], tasks: { pollIntervalMs: 10 } })

const _meta = statelessMeta({ elicitation: {}, extensions: { [tasksExtension]: {} } })
const pause = () => new Promise((resolve) => setTimeout(resolve, 5))
const answer = { action: 'accept', content: { name: 'Ada' } }

test('workers need a store that they share', async () => {
  await expect(serveHttp(server(), { workers: 2 })).rejects.toThrow('tasks need a tasks.store that processes share')
})

describe.each(adapters)('tasks over %s', (_name, serve) => {
  let served: Served
  afterEach(() => served.close())

  const send = async (method: string, params: object, headers: HeaderMap) => {
    const response = await served.fetch('/mcp', statelessRequest(method, { ...params, _meta }, headers))
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  const ofTask = (method: string, taskId: string, more: object = {}, name = taskId) =>
    send(method, { taskId, ...more }, { 'mcp-name': name })
  const asked = async (taskId: string): Promise<{ [key: string]: object }> => {
    await pause()
    const { body } = await ofTask('tasks/get', taskId)
    return body.result.status === 'input_required' ? body.result.inputRequests : asked(taskId)
  }
  const ended = async (taskId: string): Promise<object> => {
    await pause()
    const { body } = await ofTask('tasks/get', taskId)
    return body.result.status === 'completed' ? body.result.result : ended(taskId)
  }

  // [xtask.http.mcp-name] [xtask.http.validate]
  test('the header names the task, and must be right', async () => {
    served = await serve(server())
    const created = await send('tools/call', { name: 'asking', arguments: {} }, {})
    const { taskId } = created.body.result
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      for (const name of ['another', taskId.toUpperCase(), '']) {
        const { status, body } = await ofTask(method, taskId, { inputResponses: {} }, name)
        expect([status, body.error.code]).toEqual([400, -32020])
      }
    }
    const [key] = Object.keys(await asked(taskId))
    const update = await ofTask('tasks/update', taskId, { inputResponses: { [key!]: answer } })
    expect([update.status, update.body.result.resultType]).toEqual([200, 'complete'])
    expect(await ended(taskId)).toMatchObject({ content: [{ text: 'Ada' }] })
  })

  // [xtask.error.undeclared] [xtask.compat.tasks-result-removed]
  test('errors have their status', async () => {
    served = await serve(server())
    const bare = statelessRequest('tasks/get', { taskId: 'x' }, { 'mcp-name': 'x' })
    const undeclared = await served.fetch('/mcp', bare)
    expect([undeclared.status, (await undeclared.json()).error.code]).toEqual([400, -32021])
    expect(await ofTask('tasks/get', 'x')).toMatchObject({ status: 200, body: { error: { code: -32602 } } })
    expect(await ofTask('tasks/result', 'x')).toMatchObject({ status: 404, body: { error: { code: -32601 } } })
  })

  // [task25.input.related-meta] [task25.input.no-sse-on-get]
  test('a session is asked on the stream of tasks/result, and tasks/get is plain JSON', async () => {
    served = await serve(server())
    const client = await SessionClient.open(served, '2025-11-25', {}, { elicitation: {} })
    const params = { name: 'asking', arguments: {}, task: {} }
    const created = await (await client.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })).json()
    const { taskId } = created.result.task
    const got = await client.post({ jsonrpc: '2.0', id: 2, method: 'tasks/get', params: { taskId } })
    expect(got.headers.get('content-type')).toBe('application/json')
    await got.text()
    const response = await client.post({ jsonrpc: '2.0', id: 3, method: 'tasks/result', params: { taskId } })
    const events = new EventReader(response)
    const next = async () => {
      for (;;) {
        const { data } = (await events.next())!
        if (data) return JSON.parse(data)
      }
    }
    const question = await next()
    const related = { 'io.modelcontextprotocol/related-task': { taskId } }
    expect(question).toMatchObject({ method: 'elicitation/create', params: { _meta: related } })
    await (await client.post({ jsonrpc: '2.0', id: question.id, result: answer })).text()
    expect(await next()).toMatchObject({ id: 3, result: { content: [{ text: 'Ada' }], _meta: related } })
  })
})
