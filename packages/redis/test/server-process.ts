/**
 * A server process that shares everything on Redis: its name, then the address of Redis. It prints its URL. With `worker`
 * after them it serves nobody and runs tasks.
 */
import { redis, runTasks } from '@tenon/redis'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, isMcpError, resource, type ToolTaskOptions, tool } from '@tenon/sdk/server'
import { z } from 'zod'

const [name, url, kind] = process.argv.slice(2) as [string, string, string?]

/** Slow calls, which end when the process is told so. */
const waiting = new Set<() => void>()
process.stdin.on('data', () => {
  for (const release of waiting) release()
  waiting.clear()
})

/** Says that it has begun, and ends when the process is told so. */
const taskTool = (word: string, task: ToolTaskOptions) =>
  tool({
    name: word,
    task: { pollIntervalMs: 50, ...task },
    run: async () => {
      process.stdout.write(`${word}\n`)
      await new Promise<void>((resolve) => waiting.add(resolve))
      return `${word} by ${name}`
    },
  })

const server = createServer({
  name: 'desk',
  version: '1',
  onError: (error) => {
    if (!isMcpError(error) || error.code !== 'unavailable') console.error(error)
  },
  stateKeys: ['the same key for every process, long enough'],
  tasks: { leaseMs: 4_000 },
  tools: [
    taskTool('fragile', {}),
    taskTool('repeatable', { retry: true }),
    tool({ name: 'which', run: () => name }),
    tool({
      name: 'greet',
      run: async (_input, ctx) => {
        const answer = await ctx.elicit('Name?', z.object({ name: z.string() }))
        return answer.action === 'accept' ? `Hello ${answer.content.name} from ${name}` : answer.action
      },
    }),
    tool({ name: 'where', run: async (_input, ctx) => (await ctx.roots()).map(({ uri }) => uri).join() }),
    tool({
      name: 'sample',
      run: async (_input, ctx) => {
        const messages = [{ role: 'user', content: { type: 'text', text: 'Hi' } } as const]
        return JSON.stringify((await ctx.sample({ messages, maxTokens: 5 })).content)
      },
    }),
    tool({
      name: 'hang',
      run: (_input, ctx) =>
        new Promise((_resolve, reject) => {
          ctx.signal.addEventListener('abort', () => {
            process.stdout.write('aborted\n')
            reject(ctx.signal.reason)
          })
          process.stdout.write('hanging\n')
        }),
    }),
    tool({
      name: 'slow',
      run: async (_input, ctx) => {
        await ctx.log('info', 'started')
        await new Promise<void>((resolve) => waiting.add(resolve))
        return 'done'
      },
    }),
    tool({
      name: 'log',
      run: async (_input, ctx) => {
        await ctx.log('debug', `from ${name}`)
        return 'logged'
      },
    }),
    tool({ name: 'touch', run: () => void server.resources.changed('note://one') }),
  ],
  resources: [resource({ uri: 'note://one', name: 'one', read: () => `read by ${name}` })],
})

const shared = redis(url, { timeoutMs: 20_000, tasks: { work: kind === 'worker' } })
if (kind === 'worker') {
  const workers = await runTasks(server, { connection: shared })
  process.once('SIGTERM', async () => {
    await workers.close(0)
    await shared.close()
    process.stdin.destroy()
  })
  process.stdout.write('ready\n')
} else {
  const http = await serveHttp(server, { port: 0, allowedHosts: '*', ...shared })
  process.stdout.write(`${http.url}\n`)
}
