/** Tasks of tools that need scopes: their results need the scopes too. */
import { expect, test } from 'vitest'
import { type AuthInfo, createServer, tool } from '../src/server.ts'
import { Legacy, Modern } from './task-driver.ts'

const form = { type: 'object', properties: { name: { type: 'string' } } } as const
const server = createServer({
  name: 'scoped',
  version: '1',
  tools: [
    tool({ name: 'write', scopes: ['files:write'], task: true, run: () => 'top secret' }),
    tool({
      name: 'ask',
      scopes: ['files:write'],
      task: true,
      run: async (_input, ctx) => (await ctx.elicit('?', form)).action,
    }),
    tool({ name: 'read', task: true, run: () => 'public' }),
  ],
})

const of = (...scopes: string[]): { transport: string; auth: AuthInfo } => ({
  transport: 'http',
  auth: { principal: 'ada', scopes },
})
const insufficient = { code: 403, data: { error: 'insufficient_scope', scopes: ['files:write'] } }

test('a token of the same user without them neither starts, reads, answers nor ends it', async () => {
  const high = new Modern(server, of('files:write'))
  const low = new Modern(server, of())
  expect((await low.call('write')).error).toMatchObject(insufficient)
  const taskId = await high.start('ask')
  await high.until(taskId, 'input_required')
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    expect((await low.send(method, { taskId, inputResponses: {} })).error).toMatchObject(insufficient)
  }
  expect((await high.send('tasks/get', { taskId })).result).toMatchObject({ status: 'input_required' })
  const done = await high.start('write')
  await high.until(done, 'completed')
  expect(JSON.stringify(await low.send('tasks/get', { taskId: done }))).not.toContain('top secret')
})

test('in 2025-11-25 it is not in the list either, and its result is not to be had', async () => {
  await using high = await Legacy.open(server, of('files:write'))
  await using low = await Legacy.open(server, of())
  const { result } = await high.send('tools/call', { name: 'write', arguments: {}, task: {} })
  const { taskId } = result!.task as { taskId: string }
  expect((await high.send('tasks/result', { taskId })).result).toMatchObject({ content: [{ text: 'top secret' }] })
  expect((await low.send('tasks/result', { taskId })).error).toMatchObject(insufficient)
  const ids = async (client: Legacy): Promise<unknown[]> =>
    ((await client.send('tasks/list')).result!.tasks as { taskId: string }[]).map((task) => task.taskId)
  expect(await ids(high)).toContain(taskId)
  expect(await ids(low)).not.toContain(taskId)
})
