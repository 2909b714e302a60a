import { describe, expect, test } from 'vitest'
import type { Operation, ServerSpec, TaskView } from '../src/protocol.ts'
import {
  connected,
  endlessServer,
  questionIn,
  reach,
  serverThat,
  serveSlowly,
  taskRevisions,
  taskThat,
  ways,
} from './tasks.suite.ts'
import { everything, TestBench } from './workbench-in-test.suite.ts'

const asTask = (name: string, args: { [name: string]: unknown } = {}): Operation => ({
  method: 'tools/call',
  name,
  arguments: args,
  task: true,
})

const dinner = asTask('cook_dinner', { minutesMs: 1 })
const hot = { action: 'accept' as const, content: { spicy: 'hot' } }

/** Starts a task, and waits until it is known. */
async function startTask(bench: TestBench, server: string, operation: Operation): Promise<TaskView> {
  const known = taskThat(bench, ({ origin }) => origin === 'started')
  await bench.run('call.start', { server, operation })
  return known
}

const tasksOf = (bench: TestBench): Promise<TaskView[]> =>
  bench.until((event) => (event.type === 'snapshot' ? event.snapshot.tasks : undefined))

describe.each(ways)('a task of %s over %s', (revision, transport) => {
  test('is known from its start, asks in its own name, and has a result', async () => {
    await using way = await reach(revision, transport)
    await using bench = await TestBench.open({ servers: [way.spec] })
    const { id: server } = await connected(bench)
    const { task, ...started } = await startTask(bench, server, dinner)
    expect(started).toMatchObject({ server, tool: 'cook_dinner', arguments: { minutesMs: 1 }, isFollowed: true })
    expect(task).toMatchObject({ ttlMs: 600_000, pollIntervalMs: 100, createdAt: expect.any(String) })
    const question = await questionIn(bench)
    expect(question).toMatchObject({ server, task: task.taskId, message: 'How spicy?' })
    expect((await taskThat(bench, (view) => view.task.status === 'input_required')).task.taskId).toBe(task.taskId)
    await bench.run('question.answer', { question: question.id, answer: hot })
    await taskThat(bench, (view) => view.task.status === 'completed' && !view.isFollowed)
    const { outcome } = await bench.run('task.outcome', { server, task: task.taskId })
    expect(outcome).toMatchObject({
      kind: 'result',
      result: { content: [{ text: 'Served: starter, hot main course, dessert' }] },
    })
  })

  test('is cancelled', async () => {
    await using way = await reach(revision, transport)
    await using bench = await TestBench.open({ servers: [way.spec] })
    const { id: server } = await connected(bench)
    const { task } = await startTask(bench, server, dinner)
    await bench.run('task.cancel', { server, task: task.taskId })
    await taskThat(bench, (view) => view.task.status === 'cancelled' && !view.isFollowed)
    const { outcome } = await bench.run('task.outcome', { server, task: task.taskId })
    expect(outcome).toMatchObject({ kind: 'problem', problem: { kind: 'cancelled' } })
    await bench.run('task.forget', { server, task: task.taskId })
    expect(await tasksOf(bench)).toEqual([])
  })
})

describe.each(taskRevisions)('a task of %s', (revision) => {
  test('goes on after the connection was closed and opened again, and asks again', async () => {
    await using way = await reach(revision, 'http')
    await using bench = await TestBench.open({ servers: [way.spec] })
    const { id: server } = await connected(bench)
    const { task } = await startTask(bench, server, dinner)
    const first = await questionIn(bench)
    await bench.run('server.disconnect', { server })
    expect((await taskThat(bench, ({ isFollowed }) => !isFollowed)).task.status).toBe('input_required')
    await bench.run('server.connect', { server })
    const again = await questionIn(bench, first)
    expect(again).toMatchObject({ task: task.taskId })
    await bench.run('question.answer', { question: again.id, answer: hot })
    await taskThat(bench, (view) => view.task.status === 'completed' && !view.isFollowed)
    const { outcome } = await bench.run('task.outcome', { server, task: task.taskId })
    expect(JSON.stringify(outcome)).toContain('hot main course')
  })

  test('goes on when the call that started it is given up with its connection, and is not cancelled by that', async () => {
    await using mole = await serveSlowly(revision)
    await using bench = await TestBench.open({ servers: [mole.spec] })
    const { id: server } = await connected(bench)
    const { task } = await startTask(bench, server, asTask('dig'))
    await bench.run('server.disconnect', { server })
    await taskThat(bench, ({ isFollowed }) => !isFollowed)
    await bench.run('server.connect', { server })
    await taskThat(bench, ({ isFollowed }) => isFollowed)
    mole.finish()
    await taskThat(bench, (view) => view.task.status === 'completed')
    const { outcome } = await bench.run('task.outcome', { server, task: task.taskId })
    expect(JSON.stringify(outcome)).toContain('A deep hole')
  })

  test('is added by its id by whoever knows it, and what cannot be is told with words', async () => {
    await using way = await reach(revision, 'http')
    await using bench = await TestBench.open({ servers: [way.spec] })
    const { id: server } = await connected(bench)
    const { task } = await startTask(bench, server, dinner)
    await using other = await TestBench.open({ servers: [way.spec] })
    const there = await connected(other)
    await other.run('task.follow', { server: there.id, task: ` ${task.taskId} ` })
    expect(await taskThat(other, ({ isFollowed }) => isFollowed)).toMatchObject({ origin: 'added' })
    await expect(other.run('task.follow', { server: there.id, task: 'made-up' })).rejects.toMatchObject({
      problem: { kind: 'protocol', code: -32602, hint: expect.stringContaining('does not know this task') },
    })
  })
})

test('a task of a server that was started anew is told to be gone', async () => {
  await using bench = await TestBench.open({ servers: [{ ...everything, revision: '2025-11-25' }] })
  const { id: server } = await connected(bench)
  await startTask(bench, server, dinner)
  await bench.run('server.disconnect', { server })
  await bench.run('server.connect', { server })
  const lost = await taskThat(bench, ({ problem }) => problem !== undefined)
  expect(lost).toMatchObject({ isFollowed: false, problem: { hint: expect.stringContaining('started anew') } })
})

test('tasks that somebody else has started are listed, and asked about only when somebody follows them', async () => {
  await using bench = await TestBench.open({ servers: [{ ...everything, revision: '2025-11-25' }] })
  const { id: server } = await connected(bench)
  const params = { name: 'cook_dinner', arguments: { minutesMs: 1 }, task: {} }
  await bench.run('call.start', { server, operation: { method: 'request', name: 'tools/call', params } })
  await expect.poll(async () => (await bench.run('task.list', { server })).tasks.length).toBe(1)
  const listed = await taskThat(bench, ({ origin }) => origin === 'listed')
  expect(listed.isFollowed).toBe(false)
  await bench.run('task.follow', { server, task: listed.task.taskId })
  expect(await questionIn(bench)).toMatchObject({ task: listed.task.taskId })
})

test('what came of a task that its server has forgotten cannot be found out any more, which is no following', async () => {
  await using bench = await TestBench.open({ servers: [{ ...everything, revision: '2025-11-25' }] })
  const { id: server } = await connected(bench)
  const { task } = await startTask(bench, server, dinner)
  const named = { server, task: task.taskId }
  await bench.run('task.cancel', named)
  await taskThat(bench, (view) => view.task.status === 'cancelled' && !view.isFollowed)
  // Known only from the list, its outcome is not kept here.
  await bench.run('task.forget', named)
  await bench.run('task.list', { server })
  await bench.run('server.disconnect', { server })
  await bench.run('server.connect', { server })
  await connected(bench)
  const states: boolean[] = []
  const told = taskThat(bench, ({ isFollowed, problem }) => {
    states.push(isFollowed)
    return problem !== undefined
  })
  await expect(bench.run('task.outcome', named)).rejects.toMatchObject({ problem: { code: -32602 } })
  expect(await told).toMatchObject({ isFollowed: false, problem: { code: -32602 } })
  expect(states).not.toContain(true)
})

test('a task that is only listed is read again when its server tells of it', async () => {
  await using bench = await TestBench.open({ servers: [endlessServer] })
  const { id: server } = await connected(bench)
  await taskThat(bench, (view) => view.task.statusMessage === 'Nearly there')
  await bench.run('server.ping', { server })
  const view = await taskThat(bench, ({ task }) => task.statusMessage === 'Pinged')
  expect(view).toMatchObject({ origin: 'listed', isFollowed: false })
})

test('progress of a task is told', async () => {
  await using mole = await serveSlowly('2025-11-25')
  await using bench = await TestBench.open({ servers: [mole.spec] })
  const { id: server } = await connected(bench)
  await startTask(bench, server, asTask('dig'))
  const { progress } = await taskThat(bench, (view) => view.progress !== undefined)
  expect(progress).toMatchObject({ progress: 3, total: 4, message: 'Deep already' })
})

test('servers that have no tasks, or do not list them, say so', async () => {
  await using web = await reach('2026-07-28', 'http')
  const old: ServerSpec = { ...everything, name: 'old', revision: '2025-06-18' }
  await using bench = await TestBench.open({ servers: [old, web.spec] })
  const { id: without } = await serverThat(bench, ({ status, spec }) => status === 'connected' && spec.name === 'old')
  await expect(bench.run('task.follow', { server: without, task: 'x' })).rejects.toMatchObject({
    problem: {
      kind: 'request',
      message: expect.stringContaining('2025-06-18'),
      hint: expect.stringContaining('declare'),
    },
  })
  const { id: unlisted } = await serverThat(bench, ({ status, spec }) => status === 'connected' && spec.kind === 'url')
  await expect(bench.run('task.list', { server: unlisted })).rejects.toMatchObject({ problem: { kind: 'request' } })
  await expect(bench.run('task.outcome', { server: unlisted, task: 'x' })).rejects.toThrow('not known here')
})

test('tasks go with their server', async () => {
  await using bench = await TestBench.open({ servers: [{ ...everything, revision: '2025-11-25' }] })
  const { id: server } = await connected(bench)
  const { task } = await startTask(bench, server, dinner)
  const removed = bench.until((event) => {
    if (event.type === 'snapshot' && event.snapshot.tasks.length === 0) return task.taskId
    return event.type === 'task-removed' ? event.task : undefined
  })
  await bench.run('server.remove', { server })
  expect(await removed).toBe(task.taskId)
  // The call of the task fails with its connection, and does not bring the task back.
  await bench.until((event) => {
    const calls = event.type === 'snapshot' ? event.snapshot.calls : event.type === 'call' ? [event.call] : []
    return calls.find(({ outcome }) => outcome !== undefined)
  })
  expect(await tasksOf(bench)).toEqual([])
})
