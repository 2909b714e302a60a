/** One handler, called by a client as both kinds of task: the results are those of an ordinary call. */
import { afterEach, describe, expect, test } from 'vitest'
import type { ConnectOptions } from '../src/client/options.ts'
import type { ToolCallResult } from '../src/client/types.ts'
import { type Client, connect } from '../src/client.ts'
import type { JsonObject } from '../src/jsonrpc/message.ts'
import type { Revision } from '../src/model/revision.ts'
import { createServer, type ServerTool, tool } from '../src/server.ts'
import { cases, obliging } from './replay-handlers.ts'

const asTask = { required: false, start: 'at-once' as const }
const execution = { taskSupport: 'optional' as const }
const tasks = cases.map(
  ({ tool: one }): ServerTool => Object.freeze({ ...one, task: asTask, listed: { ...one.listed, execution } }),
)
const plain = cases.map(({ tool: one }) => one)

const problems: unknown[] = []
afterEach(() => expect(problems.splice(0)).toEqual([]))

const server = (tools: ServerTool[]) =>
  createServer({ name: 'test', version: '1', tools, tasks: { pollIntervalMs: 50 }, onError: (e) => problems.push(e) })

const open = (tools: ServerTool[], revision: Revision, more: ConnectOptions = {}): Promise<Client> =>
  connect(server(tools), {
    revisions: [revision],
    elicit: (params) => obliging({ method: 'elicitation/create', params: params as never }) as never,
    sample: (params) => obliging({ method: 'sampling/createMessage', params: params as never }) as never,
    roots: () => obliging({ method: 'roots/list', params: {} }).roots as never,
    onError: (error) => problems.push(error),
    ...more,
  })

const outcome = ({ content, isError, structured }: ToolCallResult): JsonObject => ({ content, isError, structured })

describe.each(['2025-11-25', '2026-07-28'] as const)('in %s', (revision) => {
  test.each(cases.map(({ tool: { name } }) => [name]))('%s comes out as it does without a task', async (name) => {
    await using asCall = await open(plain, revision)
    await using asTask = await open(tasks, revision)
    const expected = outcome(await asCall.callTool(name))
    const seen: string[] = []
    const call = asTask.callTool(name, {}, { task: { onStatus: ({ status }) => seen.push(status) } })
    expect(outcome(await call)).toEqual(expected)
    expect(seen[0]).toBe('working')
    expect(['completed', 'failed']).toContain(seen.at(-1))
  })

  test('a call that is aborted stops the handler', async () => {
    let stopped = (_: unknown): void => {}
    const reason = new Promise((resolve) => {
      stopped = resolve
    })
    const wait = tool({
      name: 'wait',
      task: true,
      run: (_, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            stopped('stopped')
            reject(signal.reason)
          }),
        ),
    })
    await using client = await open([wait], revision)
    const stop = new AbortController()
    const call = client.callTool('wait', {}, { task: { onStatus: () => stop.abort() }, signal: stop.signal })
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
    expect(await reason).toBe('stopped')
  })

  test('a task that is cancelled by its handle is cancelled', async () => {
    const wait = tool({ name: 'wait', task: true, run: () => new Promise<string>(() => {}) })
    await using client = await open([wait], revision)
    await using task = await client.tasks.start('wait')
    const result = task.result()
    await task.cancel()
    await expect(result).rejects.toMatchObject({ code: 'cancelled' })
    expect(task.status).toBe('cancelled')
    await client.tasks.cancel(task.id!)
  })

  test('an exception is what it is without a task', async () => {
    const run = () => {
      throw new Error('secret')
    }
    const onError = (): void => {}
    const make = (task: boolean) =>
      createServer({
        name: 'x',
        version: '1',
        tools: [tool({ name: 'fail', task, run })],
        tasks: { pollIntervalMs: 50 },
        onError,
      })
    const said: string[] = []
    for (const task of [false, true]) {
      await using client = await connect(make(task), { revisions: [revision] })
      const { text, isError } = await client.callTool('fail', {}, { task: true })
      said.push(`${isError} ${text.replace(/id \w+/, 'id')}`)
    }
    expect(said[1]).toBe(said[0])
  })

  test('a task is taken up by another client', async () => {
    const ask = tool({
      name: 'ask',
      task: true,
      run: async (_, ctx) => {
        return `${(await ctx.roots()).length} root`
      },
    })
    const shared = server([ask])
    const options: ConnectOptions = { revisions: [revision], roots: [{ uri: 'file:///a' }] }
    const first = await connect(shared, options)
    const { id } = await first.tasks.start('ask')
    await first.close()
    await using second = await connect(shared, options)
    expect((await second.tasks.result(id!, { tool: 'ask' })).text).toBe('1 root')
  })
})
