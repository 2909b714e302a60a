/** The tasks of authenticated callers: each principal has its own, at a bridge alone and at one that is mounted. */
import type { JsonObject, Revision } from '@tenon/sdk/client'
import { serveHttp } from '@tenon/sdk/node'
import { type BackendSession, backend, connectRaw, type RawClient, tasksExtension } from '@tenon/sdk/relay'
import { createServer, type Server, tool } from '@tenon/sdk/server'
import { afterEach, describe, expect, test } from 'vitest'
import { bridge } from '../src/bridge.ts'

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

type Design = 'alone' | 'mounted'

/** A bridge to a server, alone or mounted, over HTTP; with `auth` its callers are told apart. */
async function serve(target: Server, design: Design, auth = true): Promise<string> {
  const link = bridge({ target })
  const outer = createServer({ name: 'outer', version: '1.0.0', tasks: {} })
  if (design === 'mounted') outer.mount(link.server, { prefix: 'far_' })
  const http = await serveHttp(design === 'mounted' ? outer : link.server, {
    port: 0,
    ...(auth && { auth: (request) => ({ principal: request.header('x-user')! }) }),
  })
  endings.push(
    () => link.close(),
    () => http.close(),
  )
  return String(http.url)
}

async function connectAs(user: string, url: string, revision: Revision, heard?: string[]): Promise<RawClient> {
  const client = await connectRaw(url, {
    revisions: [revision],
    headers: { 'x-user': user },
    capabilities: { extensions: { [tasksExtension]: {} } },
    told: (method) => heard?.push(method),
  })
  endings.push(() => client.close())
  return client
}

function slowServer(...revisions: Revision[]): Server {
  const job = tool({
    name: 'job',
    task: { required: true },
    run: (_input, ctx) => new Promise<string>((_, reject) => ctx.signal.addEventListener('abort', () => reject())),
  })
  return createServer({
    name: 'far',
    version: '1.0.0',
    tasks: {},
    tools: [job],
    ...(revisions.length > 0 && { revisions }),
  })
}

const call = (client: RawClient, design: Design, name: string, more?: JsonObject): Promise<JsonObject> =>
  client.request('tools/call', { name: design === 'mounted' ? `far_${name}` : name, arguments: {}, ...more })

const start = (client: RawClient, design: Design): Promise<JsonObject> => call(client, design, 'job', { task: {} })

const answerTo = async (client: RawClient, method: string, taskId: unknown): Promise<unknown> =>
  client.request(method, { taskId, inputResponses: {} }).then(
    () => 'answered',
    ({ code, message }: { code: number; message: string }) => ({ code, message }),
  )

const aboutTasks: [Revision, Revision, string[]][] = [
  ['2025-11-25', '2025-11-25', ['tasks/get', 'tasks/result', 'tasks/cancel']],
  ['2026-07-28', '2026-07-28', ['tasks/get', 'tasks/update', 'tasks/cancel']],
  ['2026-07-28', '2025-11-25', ['tasks/get', 'tasks/update', 'tasks/cancel']],
]

describe.each<Design>(['alone', 'mounted'])('a bridge, %s', (design) => {
  test.each(aboutTasks)(
    'answers for a task only to its principal (%s, server of %s)',
    async (revision, far, methods) => {
      const url = await serve(slowServer(far), design)
      const alice = await connectAs('alice', url, revision)
      const bob = await connectAs('bob', url, revision)
      const { taskId } = await start(alice, design)
      const missing = String(taskId).replace(/.{4}$/, 'none')
      for (const method of methods) {
        const refused = await answerTo(bob, method, taskId)
        expect(refused).toMatchObject({ code: -32602 })
        expect(await answerTo(bob, method, missing)).toEqual(refused)
        expect(await answerTo(alice, method, missing)).toEqual(refused)
      }
      const again = await connectAs('alice', url, revision)
      expect(await again.request('tasks/get', { taskId })).toMatchObject({ taskId, status: 'working' })
      expect(await answerTo(alice, 'tasks/cancel', taskId)).toBe('answered')
    },
  )

  test('lists the tasks of the principal only (2025-11-25)', async () => {
    const url = await serve(slowServer(), design)
    const alice = await connectAs('alice', url, '2025-11-25')
    const bob = await connectAs('bob', url, '2025-11-25')
    const { taskId } = await start(alice, design)
    expect(await bob.request('tasks/list')).toMatchObject({ tasks: [] })
    expect(await alice.request('tasks/list')).toMatchObject({ tasks: [{ taskId }] })
  })

  test('honours no subscription to the task of another principal (2026-07-28)', async () => {
    const url = await serve(slowServer(), design)
    const alice = await connectAs('alice', url, '2026-07-28')
    const bob = await connectAs('bob', url, '2026-07-28')
    const taskId = (await start(alice, design)).taskId as string
    await expect(bob.watchTask(taskId)).rejects.toThrow()
    const stop = await alice.watchTask(taskId)
    stop()
  })

  test('passes the state of a task on to the sessions of its principal only (2025-11-25)', async () => {
    const url = await serve(loudServer(), design)
    const heardByAlice: string[] = []
    const heardByBob: string[] = []
    const alice = await connectAs('alice', url, '2025-11-25', heardByAlice)
    await connectAs('bob', url, '2025-11-25', heardByBob)
    await start(alice, design)
    await call(alice, design, 'tell')
    await expect.poll(() => heardByAlice).toContain('notifications/tasks/status')
    await expect.poll(() => heardByBob).toEqual(['notifications/message'])
  })

  test.each(aboutTasks)(
    'without authentication needs only the id of a task (%s, server of %s)',
    async (revision, far) => {
      const url = await serve(slowServer(far), design, false)
      const { taskId } = await start(await connectAs('alice', url, revision), design)
      const other = await connectAs('bob', url, revision)
      expect(await other.request('tasks/get', { taskId })).toMatchObject({ taskId })
    },
  )
})

/** A server that tells every session of the state of its task when `tell` is called, and then sends a message. */
function loudServer(): Server {
  const sessions = new Set<BackendSession>()
  const now = new Date().toISOString()
  const task = { taskId: 'one', status: 'working', createdAt: now, lastUpdatedAt: now, ttlMs: null }
  const inputSchema = { type: 'object' }
  const tools = [
    { name: 'job', inputSchema, execution: { taskSupport: 'optional' } },
    { name: 'tell', inputSchema },
  ]
  return createServer({
    name: 'loud',
    version: '1.0.0',
    revisions: ['2025-11-25'],
    backend: backend({
      introduce(to) {
        sessions.add(to as BackendSession)
        return { capabilities: { tools: {}, logging: {}, extensions: { [tasksExtension]: {} } } }
      },
      async answer({ method, params }) {
        if (method === 'tools/list') return { tools }
        if (params.name === 'job') return { resultType: 'task', ...task }
        if (params.name !== 'tell') return {}
        for (const session of sessions) {
          await session.notify('notifications/tasks/status', task)
          await session.notify('notifications/message', { level: 'error', data: 'after it' })
        }
        return { content: [] }
      },
      listen: async () => ({ honoured: {}, stop: () => {} }),
      closed: (session) => void sessions.delete(session),
    }),
  })
}
