import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'
import { createEverythingServer } from '@tenon/server-everything'
import type { Question, ServerSpec, ServerView, TaskView } from '../src/protocol.ts'
import { everything, type TestBench } from './workbench-in-test.suite.ts'

/** The revisions that have tasks. */
export const taskRevisions = ['2025-11-25', '2026-07-28'] as const
type TaskRevision = (typeof taskRevisions)[number]

/** Every way to a server with tasks. */
export const ways = taskRevisions.flatMap((revision) =>
  (['stdio', 'http'] as const).map((transport) => [revision, transport] as const),
)

/** The everything server, reached in a way of one's own. */
export async function reach(
  revision: ServerSpec['revision'] & string,
  transport: 'stdio' | 'http',
): Promise<AsyncDisposable & { spec: ServerSpec }> {
  if (transport === 'stdio') return { spec: { ...everything, revision }, async [Symbol.asyncDispose]() {} }
  const http = await serveHttp(createEverythingServer(), { port: 0 })
  const spec: ServerSpec = { kind: 'url', name: 'everything', url: http.url, revision }
  return { spec, [Symbol.asyncDispose]: () => http.close() }
}

/** A server whose task reports progress, and ends when the test finishes it. */
export async function serveSlowly(
  revision: TaskRevision,
): Promise<AsyncDisposable & { spec: ServerSpec; finish: () => void }> {
  let resolve!: () => void
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  const dig = tool({
    name: 'dig',
    title: 'Dig a hole',
    task: { pollIntervalMs: 50, ttlMs: 60_000 },
    run: async (_input, ctx) => {
      ctx.task.status('Digging')
      await ctx.progress(3, 4, 'Deep already')
      await promise
      return 'A deep hole'
    },
  })
  const http = await serveHttp(createServer({ name: 'mole', version: '1.0.0', tools: [dig] }), { port: 0 })
  const spec: ServerSpec = { kind: 'url', name: 'mole', url: http.url, revision }
  const end = async (): Promise<void> => {
    resolve()
    await http.close()
  }
  return { spec, finish: resolve, [Symbol.asyncDispose]: end }
}

/** Waits until a server is as wanted, be it already or from now on. */
export const serverThat = (bench: TestBench, fits: (server: ServerView) => boolean): Promise<ServerView> =>
  bench.until((event) => {
    const servers = event.type === 'snapshot' ? event.snapshot.servers : event.type === 'server' ? [event.server] : []
    return servers.find(fits)
  })

export const connected = (bench: TestBench): Promise<ServerView> =>
  serverThat(bench, ({ status }) => status === 'connected')

/** Waits until a task is as wanted. */
export const taskThat = (bench: TestBench, fits: (task: TaskView) => boolean): Promise<TaskView> =>
  bench.until((event) => {
    const tasks = event.type === 'snapshot' ? event.snapshot.tasks : event.type === 'task' ? [event.task] : []
    return tasks.find(fits)
  })

/** Waits for a question, be it asked already or from now on, that is not an earlier one. */
export const questionIn = (bench: TestBench, earlier?: Question): Promise<Question> =>
  bench.until((event) => {
    if (event.type === 'question') return event.question
    return event.type === 'snapshot' ? event.snapshot.questions.find(({ id }) => id !== earlier?.id) : undefined
  })

/** A server whose only task began long ago, works for ever, and outlives its time to live. A ping makes it notify of the task. */
const endless = `
const task = { taskId: 'endless', status: 'working', statusMessage: 'Nearly there', ttl: 1000, pollInterval: 100,
  createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z' }
const answers = {
  initialize: { protocolVersion: '2025-11-25', serverInfo: { name: 'endless', version: '1' },
    capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } } },
  'tools/list': { tools: [{ name: 'wait', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }] },
  'tools/call': { task }, 'tasks/get': task, 'tasks/list': { tasks: [task] }, ping: {},
}
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  if (method === 'ping') task.statusMessage = 'Pinged'
  const result = answers[method]
  const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n')
  const news = { jsonrpc: '2.0', method: 'notifications/tasks/status', params: task }
  if (method === 'ping') process.stdout.write(JSON.stringify(news) + '\\n')
})`

export const endlessServer: ServerSpec = {
  kind: 'command',
  name: 'endless',
  command: process.execPath,
  args: ['-e', endless],
  revision: '2025-11-25',
}
