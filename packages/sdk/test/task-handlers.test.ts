/** One handler, run as both kinds of task: the results are those of an ordinary call. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../src/jsonrpc/message.ts'
import { metaKeys } from '../src/model/meta.ts'
import { createServer, memoryTaskStore, type ServerTool } from '../src/server.ts'
import { fileTaskStore } from '../src/task-files/file-task-store.ts'
import { testClient } from '../src/testing.ts'
import { cases, obliging } from './replay-handlers.ts'
import { Legacy, Modern } from './task-driver.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-handlers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// The same tools, which may be tasks.
const tools = cases.map(
  ({ tool }): ServerTool => Object.freeze({ ...tool, task: { required: false, start: 'at-once' as const } }),
)
const errors: unknown[] = []
const make = (store = memoryTaskStore()) =>
  createServer({ name: 'test', version: '1', tools, tasks: { store }, onError: (error) => errors.push(error) })

const outcome = ({ content, isError = false, structuredContent, structured = structuredContent }: JsonObject) => ({
  content,
  isError,
  structured,
})

const live = () =>
  testClient(createServer({ name: 'test', version: '1', tools: cases.map(({ tool }) => tool) }), {
    revision: '2025-11-25',
    elicit: (params) => obliging({ method: 'elicitation/create', params: params as never }) as never,
    sample: (params) => obliging({ method: 'sampling/createMessage', params: params as never }) as never,
    roots: () => obliging({ method: 'roots/list', params: {} }).roots as never,
  })

const expectedOf = async (name: string): Promise<JsonObject> => {
  await using client = await live()
  return outcome((await client.callTool(name)) as never)
}

describe.each(cases.map((one) => [one.tool.name, one] as const))('%s', (name, { rounds }) => {
  // [xtask.input.key-unique] [xtask.input.key-no-reuse]
  test('as a task of 2026-07-28, every message to another server on the same files', async () => {
    const store = fileTaskStore(join(folder, name))
    const clients = [new Modern(make(store)), new Modern(make(store))] as const
    const taskId = await clients[0].start(name)
    let turn = 0
    // Two servers that share nothing but their store take turns.
    const taking = new Proxy(clients[0], {
      get: (_, member) => Reflect.get(clients[member === 'send' ? turn++ % 2 : 0]!, member, taking),
    })
    const finished = await taking.finish(taskId, obliging)
    expect(finished.task.status).toBe('completed')
    expect(outcome(finished.task.result as JsonObject)).toEqual(await expectedOf(name))
    expect(finished.rounds).toEqual(rounds)
    expect(new Set(finished.keys).size).toBe(finished.keys.length)
    expect(errors).toEqual([])
  })

  test('as a task of 2025-11-25', async () => {
    await using client = await Legacy.open(make())
    client.answer = obliging
    const taskId = await client.start(name)
    const { result } = await client.send('tasks/result', { taskId })
    expect(outcome(result!)).toEqual(await expectedOf(name))
    expect(result!._meta).toEqual({ [metaKeys.relatedTask]: { taskId } })
    expect(client.asked.length).toBe(rounds.reduce((sum, count) => sum + count, 0))
    for (const { params } of client.asked) expect(params._meta).toEqual({ [metaKeys.relatedTask]: { taskId } })
    expect(errors).toEqual([])
  })
})
