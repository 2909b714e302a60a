/** The order of tasks in one process, and the runs that are repeated. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { fileTaskStore } from '../src/node.ts'
import { createServer, type ServerOptions, ToolError, type ToolTaskOptions, tool } from '../src/server.ts'
import { Modern } from './task-driver.ts'

let said: string[] = []
let gates = new Map<string, () => void>()
beforeEach(() => {
  said = []
  gates = new Map()
})

const waiting = (name: string, task: ToolTaskOptions) =>
  tool({
    name,
    task,
    input: { type: 'object', properties: { id: { type: 'string' } } },
    async run({ id }) {
      said.push(String(id))
      await new Promise<void>((resolve) => gates.set(String(id), resolve))
      return String(id)
    },
  })

const serve = (task: ToolTaskOptions, more: Partial<ServerOptions> = {}): Modern =>
  new Modern(createServer({ name: 'jobs', version: '1', onError: () => {}, tools: [waiting('work', task)], ...more }))

describe('a tool with a concurrency', () => {
  test('runs so many tasks at once, and the others in their order', async () => {
    const client = serve({ concurrency: 2 })
    const ids = ['a', 'b', 'c', 'd']
    const tasks = []
    for (const id of ids) tasks.push(await client.start('work', { id }))
    await vi.waitFor(() => expect(said).toEqual(['a', 'b']))
    gates.get('b')!()
    await client.until(tasks[1]!, 'completed')
    await vi.waitFor(() => expect(said).toEqual(['a', 'b', 'c']))
    // One that is cancelled while it waits never begins.
    await client.send('tasks/cancel', { taskId: tasks[3] })
    gates.get('a')!()
    gates.get('c')!()
    await client.until(tasks[2]!, 'completed')
    expect(said).toEqual(['a', 'b', 'c'])
    expect(await client.get(tasks[3]!)).toMatchObject({ status: 'cancelled' })
  })
})

describe('a task that begins later', () => {
  test('begins at its time', async () => {
    const client = serve({ delayMs: ({ id }) => (id === 'late' ? 3_600_000 : 1) })
    await client.start('work', { id: 'late' })
    const soon = await client.start('work', { id: 'soon' })
    await vi.waitFor(() => expect(said).toEqual(['soon']))
    gates.get('soon')!()
    await client.until(soon, 'completed')
    expect(said).toEqual(['soon'])
  })

  test('begins in another process if the first one has died', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenon-later-'))
    try {
      const tasks = { store: fileTaskStore(folder), leaseMs: 50 }
      const taskId = await serve({ delayMs: 3_600_000 }, { tasks }).start('work', { id: 'x' })
      const [record] = await tasks.store.list()
      expect(record).toMatchObject({ attempts: 0, queued: { from: expect.any(Number) } })
      // As it is left by a process that died, when its time has come.
      const left = { ...record!, version: record!.version + 1, queued: { from: 1 }, lease: { by: 'dead', until: 1 } }
      while (!(await tasks.store.replace(left))) left.version++
      const other = serve({}, { tasks })
      await other.get(taskId)
      await vi.waitFor(() => expect(said).toEqual(['x']))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('a handler that throws', () => {
  const failing = (task: ToolTaskOptions | true, thrown: () => unknown) =>
    new Modern(
      createServer({
        name: 'jobs',
        version: '1',
        onError: () => {},
        tools: [
          tool({
            name: 'work',
            task,
            async run(_input, ctx) {
              said.push(await ctx.once('step', () => `once ${said.length}`))
              throw thrown()
            },
          }),
        ],
      }),
    )
  const surprise = (): Error => new Error('unexpected')

  test.each([
    [
      'runs again as often as its tool allows, and keeps the steps that are done',
      { retry: { attempts: 3, delayMs: 1 } },
      surprise,
      3,
    ],
    ['runs once if its tool does not say that it may be repeated', true, surprise, 1],
    ['runs once if the error is meant for the client', { retry: true }, () => new ToolError('No flour'), 1],
  ] as const)('%s', async (_, task, thrown, runs) => {
    const client = failing(task, thrown)
    const taskId = await client.start('work')
    expect(await client.until(taskId, 'completed')).toMatchObject({ result: { isError: true } })
    expect(said).toEqual(Array.from({ length: runs }, () => 'once 0'))
  })
})

test.each([
  [{ retry: 3 }, /task.retry: expected true or options, got/],
  [{ retry: { attempts: 0 } }, /task.retry.attempts: expected an integer of 1 or more, got 0/],
  [{ priority: 'urgent' }, /task.priority: expected "high", "normal" or "low", got "urgent"/],
  [{ concurrency: 0 }, /task.concurrency: expected an integer of 1 or more, got 0/],
  [{ delayMs: -1 }, /task.delayMs: expected an integer of 0 or more, got -1/],
])('the options %j are refused', (task, message) => {
  expect(() => tool({ name: 'x', task: task as never, run: () => '' })).toThrow(message)
})
