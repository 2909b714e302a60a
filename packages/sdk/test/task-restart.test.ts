/** A server is killed, and started again. Needs a build. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import type { JsonObject } from '../src/jsonrpc/message.ts'
import { metaKeys } from '../src/model/meta.ts'
import { knowing, later } from './task-driver.ts'

const script = fileURLToPath(new URL('task-server.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'tenon-restart-'))
const servers: ServerProcess[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.kill()
  rmSync(folder, { recursive: true, force: true })
})

/** A real process, spoken to in bare lines. */
class ServerProcess {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (answer: JsonObject) => void>()
  #id = 0

  constructor() {
    this.#child = spawn(process.execPath, [script, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
    createInterface({ input: this.#child.stdout! }).on('line', (line) => {
      const answer = JSON.parse(line) as JsonObject
      this.#waiting.get(answer.id as number)?.(answer)
    })
    servers.push(this)
  }

  get pid(): number {
    return this.#child.pid!
  }

  async send(method: string, params: JsonObject): Promise<JsonObject> {
    const id = ++this.#id
    const _meta = { [metaKeys.protocolVersion]: '2026-07-28', [metaKeys.clientCapabilities]: knowing }
    const answer = new Promise<JsonObject>((resolve) => this.#waiting.set(id, resolve))
    this.#child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } })}\n`)
    const { result, error } = await answer
    expect(error).toBeUndefined()
    return result as JsonObject
  }

  async start(name: string): Promise<string> {
    return (await this.send('tools/call', { name, arguments: {} })).taskId as string
  }

  async until(taskId: string, status: string): Promise<JsonObject> {
    for (;;) {
      const task = await this.send('tasks/get', { taskId })
      if (task.status === status) return task
      await later(10)
    }
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const gone = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await gone
  }
}

const log = () => (existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8').trim().split('\n') : [])
/** All that is in the store. */
const kept = () =>
  readdirSync(join(folder, 'tasks'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name.endsWith('.json'))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .join('\n')

const said = (task: JsonObject) => (task.result as { content: { text: string }[] }).content[0]!.text

test('a server that was killed and started again knows its tasks, and goes on with those that can', async () => {
  const first = new ServerProcess()
  const careful = await first.start('careful')
  const forgetful = await first.start('forgetful')
  const asking = await first.start('asking')
  await first.until(asking, 'input_required')
  await vi.waitFor(() => expect(log()).toEqual(['first']))
  await vi.waitFor(() => expect(kept()).toContain('["first",'))
  await first.kill()

  writeFileSync(join(folder, 'go'), '')
  const second = new ServerProcess()
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
  const third = new ServerProcess()
  expect(said(await third.until(careful, 'completed'))).toBe(`begun by ${first.pid}, ended by ${second.pid}`)
}, 20_000)
