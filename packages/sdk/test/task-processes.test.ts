/** Several processes on one folder of tasks. Needs a build. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { requireBuild } from '../../../scripts/requires.ts'
import type { JsonObject } from '../src/jsonrpc/message.ts'
import type { TaskRecord } from '../src/server/tasks/store/task-store.ts'
import { fileTaskStore } from '../src/task-files/file-task-store.ts'
import { ServerProcess } from './task-process.ts'

const owner = 'user:ada'
let folder = ''
const servers: ServerProcess[] = []
const children: ChildProcess[] = []

beforeAll(requireBuild)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-processes-'))
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.kill()
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const filesLeft = (): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' })

describe('processes that change records at once', () => {
  const script = fileURLToPath(new URL('task-store-process.mjs', import.meta.url))

  class Changer {
    readonly child: ChildProcess
    readonly lines: string[] = []
    readonly gone: Promise<unknown[]>
    #heard: (line: string) => void = () => {}

    constructor(command: string, count: number) {
      this.child = spawn(process.execPath, [script, folder, command, String(count)], {
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      this.gone = once(this.child, 'close')
      children.push(this.child)
      createInterface({ input: this.child.stdout! }).on('line', (line) => {
        this.lines.push(line)
        this.#heard(line)
      })
    }

    async heard(count: number): Promise<void> {
      while (this.lines.length < count) await new Promise<string>((resolve) => (this.#heard = resolve))
    }
  }

  /** Starts processes, and lets them begin at the same moment. */
  async function begin(command: string, count: number, processes: number): Promise<Changer[]> {
    const changers = Array.from({ length: processes }, () => new Changer(command, count))
    await Promise.all(changers.map((changer) => changer.heard(1)))
    for (const { child, lines } of changers) {
      lines.length = 0
      child.stdin!.write('go\n')
    }
    return changers
  }

  const counter = (): TaskRecord => ({
    id: 'counter',
    owner,
    version: 1,
    status: 'working',
    statusMessage: '0',
    createdAt: 1,
    updatedAt: 1,
    ttlMs: null,
    pollIntervalMs: 1,
    call: { revision: '2026-07-28', requestId: 1, params: {}, capabilities: {}, transport: 'stdio' },
  })

  test('create each id once', async () => {
    const changers = await begin('create', 40, 3)
    expect(await Promise.all(changers.map(({ gone }) => gone))).toEqual(changers.map(() => [0, null]))
    const won = changers.flatMap(({ child, lines }) => lines.map((id) => [id, String(child.pid)] as const))
    expect(won).toHaveLength(40)
    const kept = await fileTaskStore(folder).list(owner)
    expect(new Map(kept.map(({ id, statusMessage }) => [id, statusMessage]))).toEqual(new Map(won))
  })

  test('lose no change of each other', async () => {
    const store = fileTaskStore(folder)
    await store.create(counter())
    const changers = await begin('add', 30, 3)
    expect(await Promise.all(changers.map(({ gone }) => gone))).toEqual(changers.map(() => [0, null]))
    expect(await store.get(owner, 'counter')).toMatchObject({ statusMessage: '90', version: 91 })
  })

  test('are not held up by one of them that is killed', async () => {
    const store = fileTaskStore(folder)
    await store.create(counter())
    const [victim, ...others] = await begin('add', 30, 3)
    await victim!.heard(5)
    victim!.child.kill('SIGKILL')
    await Promise.all([victim, ...others].map((changer) => changer!.gone))
    const told = victim!.lines.length + others.length * 30
    const { statusMessage } = (await store.get(owner, 'counter'))!
    // The last change may have been made and not reported.
    expect([told, told + 1]).toContain(Number(statusMessage))
    expect(filesLeft().filter((name) => name.includes('.draft'))).toEqual([])
  })

  test('create and delete in a folder that comes and goes', async () => {
    const changers = await begin('churn', 25, 3)
    expect(await Promise.all(changers.map(({ gone }) => gone))).toEqual(changers.map(() => [0, null]))
    expect(filesLeft()).toEqual([])
  })
})

describe('servers on one folder', () => {
  /** With a long lease a delayed process does not count as dead. */
  const start = (leaseMs = 60_000, aheadMs = 0): ServerProcess => {
    const server = new ServerProcess(folder, String(leaseMs), String(aheadMs))
    servers.push(server)
    return server
  }
  const log = (): string[] =>
    existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8').trim().split('\n') : []
  const go = (): void => writeFileSync(join(folder, 'go'), '')
  const said = (task: JsonObject): string => (task.result as { content: { text: string }[] }).content[0]!.text
  const answers = (task: JsonObject, name: string): JsonObject => ({
    inputResponses: Object.fromEntries(
      Object.keys(task.inputRequests as object).map((key) => [key, { action: 'accept', content: { name } }]),
    ),
  })

  test('answer for each other’s tasks, and run each in one of them', async () => {
    const [one, two] = [start(), start()]
    const ids = await Promise.all([one, two, one, two].map((server) => server.start('shared')))
    expect(new Set(ids).size).toBe(4)
    for (const [index, server] of [two, one, two, one].entries()) await server.until(ids[index]!, 'working')
    await vi.waitFor(() => expect(log().filter((line) => line.startsWith('begun'))).toHaveLength(4), 100_000)
    go()
    const ended = await Promise.all(ids.map((id, index) => [two, one][index % 2]!.until(id, 'completed')))
    expect(ended.map(said)).toEqual([one, two, one, two].map(({ pid }) => `ended by ${pid}`))
    expect(log()).toHaveLength(8)
  })

  test('take one of two answers that come at once', async () => {
    const [one, two] = [start(), start()]
    const taskId = await one.start('telling')
    const task = await two.until(taskId, 'input_required')
    const updates = [one.answer('tasks/update', { taskId, ...answers(task, 'Ada') })]
    updates.push(two.answer('tasks/update', { taskId, ...answers(task, 'Bob') }))
    await Promise.all(updates)
    const name = said(await one.until(taskId, 'completed'))
    expect(['Ada', 'Bob']).toContain(name)
    expect(said(await two.until(taskId, 'completed'))).toBe(name)
    expect(log()).toEqual([`told ${name}`])
  })

  test('cancel what another one runs, and its result does not count', async () => {
    const [one, two] = [start(300), start(300)]
    const taskId = await one.start('shared')
    await vi.waitFor(() => expect(log()).toEqual([`begun ${one.pid}`]), 100_000)
    expect(await two.send('tasks/cancel', { taskId })).toMatchObject({})
    await vi.waitFor(() => expect(log()).toContain(`stopped ${one.pid}`), 100_000)
    go()
    for (const server of [one, two])
      expect(await server.send('tasks/get', { taskId })).toMatchObject({ status: 'cancelled' })
  })

  test('agree on the end when one is told to cancel and another to go on', async () => {
    const [one, two] = [start(), start()]
    const taskId = await one.start('telling')
    const task = await two.until(taskId, 'input_required')
    const go = [one.answer('tasks/update', { taskId, ...answers(task, 'Ada') }), two.answer('tasks/cancel', { taskId })]
    await Promise.all(go)
    const ends = await vi.waitFor(async () => {
      const found = await Promise.all([one, two].map((server) => server.send('tasks/get', { taskId })))
      expect(['cancelled', 'completed']).toContain(found[0]!.status)
      return found
    }, 120_000)
    expect(ends[0]!.status).toBe(ends[1]!.status)
    expect(log().length).toBeLessThanOrEqual(1)
  })

  test('go on with the tasks of one that was killed, each in one of them', async () => {
    const [victim, two, three] = [start(2_000), start(2_000), start(2_000)]
    const ids = [await victim.start('shared'), await victim.start('shared')]
    await vi.waitFor(() => expect(log()).toHaveLength(2), 100_000)
    // The result of `ctx.once` is in the store a moment later.
    await vi.waitFor(async () => {
      const records = await fileTaskStore(join(folder, 'tasks')).list()
      expect(records.every(({ memory }) => memory?.steps.length === 1)).toBe(true)
    }, 120_000)
    await victim.kill()
    go()
    for (const id of ids) await Promise.all([two.until(id, 'completed'), three.until(id, 'completed')])
    expect(log().filter((line) => line.startsWith('done'))).toHaveLength(2)
    expect(log().filter((line) => line.startsWith('begun'))).toHaveLength(2)
  })

  test('forget a task that has expired, whoever looks first', async () => {
    const [one, two] = [start(), start()]
    const taskId = await one.start('brief')
    await vi.waitFor(async () => {
      const answers = await Promise.all([one, two].map((server) => server.answer('tasks/get', { taskId })))
      expect(answers).toMatchObject([{ error: { code: -32602 } }, { error: { code: -32602 } }])
    }, 120_000)
    // The run that found it expired may still be removing it.
    await vi.waitFor(() => expect(readdirSync(join(folder, 'tasks'))).toEqual([]), 100_000)
  })

  test('with clocks half an hour apart have one that runs a task in the end', async () => {
    const [one, ahead] = [start(300), start(300, 1_800_000)]
    const taskId = await one.start('shared')
    await vi.waitFor(async () => {
      expect((await fileTaskStore(join(folder, 'tasks')).list())[0]?.memory?.steps).toHaveLength(1)
    }, 120_000)
    // To the one that is ahead, the lease of the other has ended long ago. It yields to a renewal at the same moment.
    await vi.waitFor(async () => {
      await ahead.send('tasks/get', { taskId })
      expect(log()).toContain(`stopped ${one.pid}`)
    }, 120_000)
    await one.send('tasks/get', { taskId })
    go()
    expect(said(await one.until(taskId, 'completed'))).toBe(`ended by ${ahead.pid}`)
    expect(log().filter((line) => line.startsWith('done'))).toEqual([`done ${ahead.pid}`])
  })
})
