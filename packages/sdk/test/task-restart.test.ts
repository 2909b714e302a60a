/** A server is killed, and started again. Needs a build. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import type { JsonObject } from '../src/jsonrpc/message.ts'
import { ServerProcess } from './task-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenon-restart-'))
const servers: ServerProcess[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.kill()
  rmSync(folder, { recursive: true, force: true })
})

const start = (): ServerProcess => {
  const server = new ServerProcess(folder)
  servers.push(server)
  return server
}

const log = () => (existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8').trim().split('\n') : [])
/** The content of the store. */
const kept = () =>
  readdirSync(join(folder, 'tasks'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name.endsWith('.json'))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .join('\n')

const said = (task: JsonObject) => (task.result as { content: { text: string }[] }).content[0]!.text

test('a server that was killed and started again knows its tasks, and goes on with those that can', async () => {
  const first = start()
  const careful = await first.start('careful')
  const forgetful = await first.start('forgetful')
  const asking = await first.start('asking')
  await first.until(asking, 'input_required')
  await vi.waitFor(() => expect(log()).toEqual(['first']))
  await vi.waitFor(() => expect(kept()).toContain('["first",'))
  await first.kill()

  writeFileSync(join(folder, 'go'), '')
  const second = start()
  const task = await second.until(asking, 'input_required')
  expect(Object.values(task.inputRequests as object)).toMatchObject([{ params: { message: 'Your name?' } }])
  const [key] = Object.keys(task.inputRequests as object) as [string]
  await second.send('tasks/update', {
    taskId: asking,
    inputResponses: { [key]: { action: 'accept', content: { name: 'Ada' } } },
  })
  expect(said(await second.until(asking, 'completed'))).toBe(`Ada, told to ${second.pid}`)

  expect(said(await second.until(careful, 'completed'))).toBe(`begun by ${first.pid}, ended by ${second.pid}`)
  expect(log()).toEqual(['first', 'second'])
  const lost = await second.until(forgetful, 'failed')
  expect(lost).toMatchObject({ error: { code: -32603 }, statusMessage: expect.stringContaining('ctx.once') })

  await second.kill()
  const third = start()
  expect(said(await third.until(careful, 'completed'))).toBe(`begun by ${first.pid}, ended by ${second.pid}`)
}, 120_000)
