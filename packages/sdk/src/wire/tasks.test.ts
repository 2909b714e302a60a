import { describe, expect, test } from 'vitest'
import { validateType } from '../../test/wire-schema.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import { metaKeys } from '../model/meta.ts'
import { revisions } from '../model/revision.ts'
import { tasksExtension } from '../model/tasks.ts'
import { codecFor } from './codecs.ts'

const legacy = codecFor('2025-11-25')
const modern = codecFor('2026-07-28')
const times = { createdAt: '2026-01-01T00:00:00.000Z', lastUpdatedAt: '2026-01-01T00:00:01.000Z' }
const working = { taskId: 't', status: 'working', ...times, ttlMs: 60_000, pollIntervalMs: 500 }
const said = { content: [{ type: 'text', text: 'it broke' }], isError: true }
const valid = (type: string, value: JsonObject) =>
  expect(validateType('2025-11-25', type, JSON.parse(JSON.stringify(value)))).toEqual([])

const meta = (capabilities: JsonObject) => ({
  [metaKeys.protocolVersion]: '2026-07-28',
  [metaKeys.clientCapabilities]: capabilities,
})
const declaring = meta({ extensions: { [tasksExtension]: {} } })

describe('2025-11-25', () => {
  // [task25.create.param] [task25.create.ttl]
  test('the caller asks for a task, with a ttl', () => {
    expect(legacy.decodeParams('tools/call', { name: 'x', task: { ttl: 5 } })).toEqual({
      name: 'x',
      task: { expected: true, ttlMs: 5 },
    })
    expect(legacy.encodeParams('tools/call', { name: 'x', task: { ttlMs: 5 } })).toEqual({
      name: 'x',
      task: { ttl: 5 },
    })
    expect(legacy.encodeParams('tools/call', { name: 'x', task: {} })).toEqual({ name: 'x', task: {} })
    expect(() => legacy.decodeParams('tools/call', { name: 'x', task: 7 })).toThrow('params.task: expected an object')
  })

  // [task25.create.result]
  test('a task is wrapped, and has its own names', () => {
    const wire = legacy.encodeResult('tools/call', { resultType: 'task', ...working })
    expect(wire).toEqual({ task: { taskId: 't', status: 'working', ...times, ttl: 60_000, pollInterval: 500 } })
    valid('CreateTaskResult', wire)
    expect(legacy.decodeResult('tools/call', wire)).toEqual({ resultType: 'task', ...working })
  })

  // [task25.status.failed-includes-iserror] [task25.error.status-message]
  test('a tool that failed is a task that failed', () => {
    const wire = legacy.encodeResult('tasks/get', { ...working, status: 'completed', result: said })
    expect(wire).toMatchObject({ status: 'failed', statusMessage: 'it broke' })
    expect(wire).not.toHaveProperty('result')
    valid('GetTaskResult', wire)
    expect(
      legacy.encodeResult('tasks/get', { ...working, status: 'failed', error: { code: 1, message: 'no' } }),
    ).toEqual({ taskId: 't', status: 'failed', statusMessage: 'no', ...times, ttl: 60_000, pollInterval: 500 })
  })

  test('lists, cancellations and news have tasks of that form', () => {
    const page = legacy.encodeResult('tasks/list', { tasks: [working], nextCursor: 'n' })
    valid('ListTasksResult', page)
    expect(legacy.decodeResult('tasks/list', page)).toEqual({ tasks: [working], nextCursor: 'n' })
    valid('CancelTaskResult', legacy.encodeResult('tasks/cancel', { ...working, status: 'cancelled' }))
    const news = legacy.encodeParams('notifications/tasks/status', { ...working, inputRequests: {} })
    valid('TaskStatusNotificationParams', news)
    expect(legacy.decodeParams('notifications/tasks/status', news)).toEqual(working)
  })

  // [task25.cap.server-shape] [xtask.compat.not-under-2025-11-25]
  test('the capability has this form, and the extension means nothing', () => {
    const result = { protocolVersion: '2025-11-25', serverInfo: { name: 'a', version: '1' } }
    const wire = legacy.encodeResult('initialize', {
      ...result,
      capabilities: { extensions: { [tasksExtension]: { list: {} }, 'a/b': {} } },
    })
    expect(wire.capabilities).toEqual({
      extensions: { 'a/b': {} },
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    })
    expect(legacy.decodeResult('initialize', wire).capabilities).toEqual({
      extensions: { 'a/b': {}, [tasksExtension]: { list: {}, cancel: {} } },
    })
    const extension = { ...result, capabilities: { extensions: { [tasksExtension]: {} } } }
    expect(legacy.decodeResult('initialize', extension).capabilities).toEqual({})
    const client = { clientInfo: { name: 'a', version: '1' }, ...extension }
    expect(legacy.decodeParams('initialize', client).capabilities).toEqual({})
  })
})

describe('2026-07-28', () => {
  // [xtask.compat.task-param-ignored] [xtask.compat.legacy-capability]
  test('a call may become a task if its request declares the extension', () => {
    const call = { name: 'x', task: { ttl: 'nonsense' } }
    expect(modern.decodeParams('tools/call', { ...call, _meta: declaring }).task).toEqual({})
    expect(modern.decodeParams('tools/call', { ...call, _meta: meta({ tasks: {} }) })).not.toHaveProperty('task')
    expect(modern.encodeParams('tools/call', { name: 'x', task: {}, _meta: declaring })).not.toHaveProperty('task')
  })

  // [xtask.create.flat-shape] [xtask.result-type.task] [xtask.cap.client-rejects-elsewhere]
  test('a task is flat', () => {
    const created = { resultType: 'task', ...working }
    expect(modern.encodeResult('tools/call', created)).toEqual(created)
    expect(modern.decodeResult('tools/call', created)).toEqual(created)
    expect(() => modern.decodeResult('prompts/get', created)).toThrow('result.resultType: expected')
    expect(() => modern.decodeResult('tools/call', { ...created, status: 'lost' })).toThrow('result.status: expected')
  })

  // [xtask.status.tool-error-completed] [xtask.get.completed] [xtask.get.result-type-complete]
  test('a task has inside what the call returned', () => {
    const wire = modern.encodeResult('tasks/get', { ...working, status: 'completed', result: said })
    expect(wire).toEqual({
      ...working,
      status: 'completed',
      resultType: 'complete',
      result: { ...said, resultType: 'complete' },
    })
    expect(modern.decodeResult('tasks/get', wire)).toMatchObject({ status: 'completed', result: said })
  })

  // [xtask.update.ack] [xtask.cancel.ack]
  test('acknowledgements are bare', () => {
    for (const method of ['tasks/update', 'tasks/cancel'])
      expect(modern.encodeResult(method, { ...working })).toEqual({ resultType: 'complete' })
  })

  // [xtask.cap.identifier] [xtask.compat.no-legacy-capabilities]
  test('the extension has no settings, and tools do not speak of tasks', () => {
    const result = { supportedVersions: [], capabilities: { extensions: { [tasksExtension]: { list: {} } } } }
    expect(modern.encodeResult('server/discover', result).capabilities).toEqual({
      extensions: { [tasksExtension]: {} },
    })
    const tools = [{ name: 'x', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }]
    expect((modern.encodeResult('tools/list', { tools }).tools as JsonObject[])[0]).not.toHaveProperty('execution')
    expect((legacy.encodeResult('tools/list', { tools }).tools as JsonObject[])[0]).toHaveProperty('execution')
  })
})

test.each(revisions.filter((revision) => revision < '2025-11-25'))('%s has no tasks', (revision) => {
  const codec = codecFor(revision)
  expect(codec.tasks).toBeUndefined()
  expect([...codec.requests.client, ...codec.notifications.server].filter((method) => /tasks/.test(method))).toEqual([])
  expect(codec.decodeParams('tools/call', { name: 'x', task: { ttl: 1 } })).toEqual({ name: 'x' })
  expect(codec.encodeParams('tools/call', { name: 'x', task: {} })).toEqual({ name: 'x' })
  const result = { protocolVersion: revision, serverInfo: { name: 'a', version: '1' } }
  const tasks = { requests: { tools: { call: {} } } }
  expect(codec.decodeResult('initialize', { ...result, capabilities: { tasks } }).capabilities).not.toHaveProperty(
    'extensions',
  )
})
