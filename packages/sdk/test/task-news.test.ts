/** The notifications of a server about tasks on `subscriptions/listen`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../src/jsonrpc/message.ts'
import { metaKeys } from '../src/model/meta.ts'
import { fileTaskStore, MemoryBus } from '../src/node.ts'
import { type AnyServer, createServer, type ServerOptions, tool } from '../src/server.ts'
import { memoryPair, openWire, type Wire } from '../src/testing.ts'
import { asking, knowing, Modern } from './task-driver.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-task-news-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ask = tool({
  name: 'ask',
  task: true,
  async run(_, ctx) {
    const answer = await ctx.elicit('Which?', z.object({ value: z.string() }))
    return answer.content?.value ?? answer.action
  },
})
const make = (more: Partial<ServerOptions> = {}) => createServer({ name: 'news', version: '1', tools: [ask], ...more })

/** Listens on a connection of its own, and records the notifications. */
async function listening(
  server: AnyServer,
  taskIds: unknown,
  { capabilities = knowing, principal }: { capabilities?: object; principal?: string } = {},
): Promise<AsyncDisposable & { first: JsonObject; next(): Promise<JsonObject>; wire: Wire }> {
  const [near, far] = memoryPair()
  server.connect(far, { transport: 'memory', ...(principal !== undefined && { auth: { principal } }) })
  const wire = openWire(near)
  const _meta = { [metaKeys.protocolVersion]: '2026-07-28', [metaKeys.clientCapabilities]: capabilities }
  const params = { notifications: { taskIds }, _meta }
  wire.send({ jsonrpc: '2.0', id: 'listen', method: 'subscriptions/listen', params })
  const next = async (): Promise<JsonObject> => (await wire.next()) as never
  return { first: await next(), next, wire, [Symbol.asyncDispose]: () => wire[Symbol.asyncDispose]() }
}

const subscription = { [metaKeys.subscriptionId]: 'listen' }
const answerTo = (task: JsonObject): JsonObject => ({
  taskId: task.taskId,
  inputResponses: Object.fromEntries(
    Object.keys(task.inputRequests as object).map((key) => [key, { action: 'accept', content: { value: 'this' } }]),
  ),
})

describe('taskIds', () => {
  // [xtask.notify.subscribe] [xtask.notify.ack-subset]
  test('are acknowledged as far as they are tasks of the caller', async () => {
    const server = make()
    const mine = await new Modern(server, { auth: { principal: 'ada' } }).start('ask')
    const theirs = await new Modern(server, { auth: { principal: 'eve' } }).start('ask')
    await using ada = await listening(server, [mine, theirs, 'none'], { principal: 'ada' })
    expect(ada.first).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { taskIds: [mine] }, _meta: subscription },
    })
  })

  // [xtask.notify.undeclared-error]
  test('are refused to a client that did not declare the extension', async () => {
    await using client = await listening(make(), ['x'], { capabilities: asking })
    expect(client.first.error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
    })
  })

  test.each([
    ['a string', 'x'],
    ['no strings', [7]],
    ['too many', Array.from({ length: 1_001 }, (_, index) => `t${index}`)],
  ])('that are %s are refused by name', async (_what, taskIds) => {
    await using client = await listening(make(), taskIds)
    expect(client.first.error).toMatchObject({ code: -32602, message: expect.stringContaining('taskIds') })
  })
})

// [xtask.notify.full-task] [xtask.notify.no-progress-or-log]
test('every change of a task is told, with the task as tasks/get gives it', async () => {
  const server = make()
  const client = new Modern(server)
  const taskId = await client.start('ask')
  const open = await client.until(taskId, 'input_required')
  await using listener = await listening(server, [taskId])
  expect((await client.send('tasks/update', answerTo(open))).error).toBeUndefined()
  const seen: JsonObject[] = []
  do {
    const { method, params } = await listener.next()
    expect(method).toBe('notifications/tasks')
    seen.push(params as JsonObject)
  } while (seen.at(-1)!.status !== 'completed')
  expect(seen[0]).toMatchObject({ taskId, status: 'working', _meta: subscription })
  const { resultType: _, _meta: __, ...task } = await client.get(taskId)
  expect(seen.at(-1)).toEqual({ ...task, _meta: subscription })
  expect(listener.wire.waiting).toEqual([])
})

test('a change in one process is told in another that shares store and bus', async () => {
  const bus = new MemoryBus()
  const store = () => fileTaskStore(join(folder, 'shared'))
  const [here, there] = [make({ bus, tasks: { store: store() } }), make({ bus, tasks: { store: store() } })]
  const client = new Modern(here)
  const taskId = await client.start('ask')
  const open = await client.until(taskId, 'input_required')
  await using listener = await listening(there, [taskId])
  await client.send('tasks/update', answerTo(open))
  const statuses: unknown[] = []
  while (statuses.at(-1) !== 'completed') {
    statuses.push(((await listener.next()).params as JsonObject).status)
  }
  expect(statuses.length).toBeLessThanOrEqual(3)
})
