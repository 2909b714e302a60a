import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { JsonObject } from '../src/jsonrpc/message.ts'
import { metaKeys } from '../src/model/meta.ts'
import { knowing, later } from './task-driver.ts'

const script = fileURLToPath(new URL('task-server.mjs', import.meta.url))

/** A real process that exchanges bare lines. */
export class ServerProcess {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (answer: JsonObject) => void>()
  #id = 0

  constructor(folder: string, ...args: string[]) {
    this.#child = spawn(process.execPath, [script, folder, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
    createInterface({ input: this.#child.stdout! }).on('line', (line) => {
      const answer = JSON.parse(line) as JsonObject
      this.#waiting.get(answer.id as number)?.(answer)
    })
  }

  get pid(): number {
    return this.#child.pid!
  }

  async send(method: string, params: JsonObject): Promise<JsonObject> {
    const { result, error } = await this.answer(method, params)
    expect(error).toBeUndefined()
    return result as JsonObject
  }

  /** The whole answer, which may be an error. */
  async answer(method: string, params: JsonObject): Promise<JsonObject> {
    const id = ++this.#id
    const _meta = { [metaKeys.protocolVersion]: '2026-07-28', [metaKeys.clientCapabilities]: knowing }
    const answer = new Promise<JsonObject>((resolve) => this.#waiting.set(id, resolve))
    this.#child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } })}\n`)
    return answer
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
