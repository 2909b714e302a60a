import { ErrorCode, RpcError, type ServerTool, type ToolContext, tool } from '@tenon/sdk/server'

const confirmForm = { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] } as const
const nameForm = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const

const pollIntervalMs = 200

/** Waits, unless the task is cancelled first. */
const wait = (seconds: number, { signal }: ToolContext): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1_000)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

/** Tools that run as tasks, for clients that declare tasks. */
export const taskTools: ServerTool[] = [
  tool({
    name: 'greet',
    description: 'Greets, at once',
    input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const,
    run: ({ name }) => `Hello, ${name}!`,
  }),
  tool({
    name: 'slow_compute',
    description: 'Takes its time',
    input: {
      type: 'object',
      properties: { seconds: { type: 'number' }, label: { type: 'string' } },
    } as const,
    task: { pollIntervalMs },
    async run({ seconds = 1, label = 'work' }, ctx) {
      ctx.task.status(`Computing ${label}`)
      await wait(seconds, ctx)
      return `${label} took ${seconds} s`
    },
  }),
  tool({
    name: 'failing_job',
    description: 'Fails, as a task only',
    task: { required: true, pollIntervalMs },
    run: (_, ctx) => ctx.error('The job failed'),
  }),
  tool({
    name: 'protocol_error_job',
    description: 'Ends with a JSON-RPC error',
    task: { pollIntervalMs },
    run() {
      throw new RpcError(ErrorCode.InternalError, 'The job could not be run')
    },
  }),
  tool({
    name: 'confirm_delete',
    description: 'Asks before it deletes',
    input: { type: 'object', properties: { filename: { type: 'string' } } } as const,
    task: { pollIntervalMs },
    async run({ filename = 'a file' }, ctx) {
      const answer = await ctx.elicit(`Delete ${filename}?`, confirmForm)
      return answer.action === 'accept' && answer.content.confirm ? `Deleted ${filename}` : `Kept ${filename}`
    },
  }),
  tool({
    name: 'multi_input',
    description: 'Asks two things at once',
    task: { pollIntervalMs },
    async run(_, ctx) {
      const [first, second] = await Promise.all([
        ctx.elicit('Confirm the first step', confirmForm, { key: 'first' }),
        ctx.elicit('Confirm the second step', confirmForm, { key: 'second' }),
      ])
      return JSON.stringify([first.content ?? first.action, second.content ?? second.action])
    },
  }),
  tool({
    name: 'test_tool_with_task',
    description: 'Asks first, and becomes a task then',
    task: { start: 'by-handler', pollIntervalMs },
    async run(_, ctx) {
      const answer = await ctx.elicit('What is your name?', nameForm, { key: 'name' })
      if (answer.action !== 'accept') return `No name: ${answer.action}`
      await ctx.task.start()
      await wait(0.1, ctx)
      return `Hello, ${answer.content.name}!`
    },
  }),
]
