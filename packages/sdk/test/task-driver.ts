/** Drives tasks with bare messages, in both of their designs. */
import { expect } from 'vitest'
import type { JsonObject } from '../src/jsonrpc/message.ts'
import type { ClientCapabilities } from '../src/model/capabilities.ts'
import { metaKeys } from '../src/model/meta.ts'
import { tasksExtension } from '../src/model/tasks.ts'
import type { AnyServer, ConnectionInfo } from '../src/server.ts'
import { memoryPair, openWire } from '../src/testing.ts'
import type { Answer } from './replay-handlers.ts'
import { validateMessage } from './wire-schema.ts'

export interface Said {
  id?: number
  result?: JsonObject
  error?: { code: number; message: string; data?: unknown }
}

export const asking: ClientCapabilities = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} }
export const knowing: ClientCapabilities = { ...asking, extensions: { [tasksExtension]: {} } }

export const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A client of 2026-07-28 that sends one request per connection. */
export class Modern {
  readonly server: AnyServer
  readonly info: ConnectionInfo
  readonly capabilities: ClientCapabilities

  constructor(server: AnyServer, info: Partial<ConnectionInfo> = {}, capabilities: ClientCapabilities = knowing) {
    this.server = server
    this.info = { transport: 'memory', ...info }
    this.capabilities = capabilities
  }

  async send(method: string, params: JsonObject = {}): Promise<Said> {
    const [near, far] = memoryPair()
    this.server.connect(far, this.info)
    await using wire = openWire(near)
    const _meta = { [metaKeys.protocolVersion]: '2026-07-28', [metaKeys.clientCapabilities]: this.capabilities }
    wire.send({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: { ...params, _meta: { ...(params._meta as object), ..._meta } },
    })
    const said = (await wire.next()) as Said
    if (said.error === undefined && said.result!.resultType !== 'task' && !method.startsWith('tasks/')) {
      expect(validateMessage('2026-07-28', 'server', said as never, { methodOf: () => method })).toEqual([])
    }
    return said
  }

  call(name: string, args: JsonObject = {}, more: JsonObject = {}): Promise<Said> {
    return this.send('tools/call', { name, arguments: args, ...more })
  }

  async start(name: string, args: JsonObject = {}): Promise<string> {
    const { result } = await this.call(name, args)
    expect(result).toMatchObject({ resultType: 'task', status: 'working' })
    return result!.taskId as string
  }

  async get(taskId: string): Promise<JsonObject> {
    const { result, error } = await this.send('tasks/get', { taskId })
    expect(error).toBeUndefined()
    return result!
  }

  /** The task once it has one of these statuses. */
  async until(taskId: string, ...statuses: string[]): Promise<JsonObject> {
    for (;;) {
      const task = await this.get(taskId)
      if (statuses.includes(task.status as string)) return task
      await later(2)
    }
  }

  /** Answers input requests until the task has ended. */
  async finish(taskId: string, answer: Answer): Promise<{ task: JsonObject; rounds: number[]; keys: string[] }> {
    const rounds: number[] = []
    const keys: string[] = []
    for (;;) {
      const task = await this.until(taskId, 'input_required', 'completed', 'failed', 'cancelled')
      if (task.status !== 'input_required') return { task, rounds, keys }
      const asked = Object.entries(task.inputRequests as { [key: string]: { method: string; params: JsonObject } })
      rounds.push(asked.length)
      keys.push(...asked.map(([key]) => key))
      const inputResponses = Object.fromEntries(asked.map(([key, request]) => [key, answer(request)]))
      expect(await this.send('tasks/update', { taskId, inputResponses })).toMatchObject({
        result: { resultType: 'complete' },
      })
    }
  }
}

/** A client of 2025-11-25, with a session. Every message it gets is checked against the published schema. */
export class Legacy implements AsyncDisposable {
  readonly #wire: ReturnType<typeof openWire>
  readonly #waiting = new Map<number, { resolve(said: Said): void; method: string }>()
  readonly notifications: { method: string; params: JsonObject }[] = []
  readonly asked: { method: string; params: JsonObject }[] = []
  answer: Answer | undefined
  capabilities: JsonObject = {}
  #id = 0

  constructor(server: AnyServer, info: Partial<ConnectionInfo> = {}) {
    const [near, far] = memoryPair()
    server.connect(far, { transport: 'memory', ...info })
    this.#wire = openWire(near)
    void this.#receive()
  }

  static async open(server: AnyServer, info: Partial<ConnectionInfo> = {}, revision = '2025-11-25'): Promise<Legacy> {
    const legacy = new Legacy(server, info)
    const clientInfo = { name: 'test', version: '1' }
    const { result } = await legacy.send('initialize', { protocolVersion: revision, capabilities: asking, clientInfo })
    legacy.capabilities = result!.capabilities as JsonObject
    legacy.#wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    return legacy
  }

  async #receive(): Promise<void> {
    for (;;) {
      const message = (await this.#wire.next().catch(() => undefined)) as JsonObject | undefined
      if (message === undefined) return
      const methodOf = (id: unknown) => this.#waiting.get(id as number)?.method
      if (methodOf(message.id) !== 'tools/call') {
        expect(validateMessage('2025-11-25', 'server', message as never, { methodOf } as never)).toEqual([])
      }
      if (message.method === undefined) {
        this.#waiting.get(message.id as number)?.resolve(message as Said)
      } else if (message.id === undefined) this.notifications.push(message as never)
      else this.#asked(message as never)
    }
  }

  #asked(request: { id: number; method: string; params: JsonObject }): void {
    this.asked.push(request)
    const { id } = request
    if (this.answer === undefined) return
    try {
      this.#wire.send({ jsonrpc: '2.0', id, result: this.answer(request) })
    } catch (error) {
      this.#wire.send({ jsonrpc: '2.0', id, error: { code: -1, message: (error as Error).message } })
    }
  }

  send(method: string, params: JsonObject = {}): Promise<Said> {
    const id = ++this.#id
    return new Promise((resolve) => {
      this.#waiting.set(id, { resolve, method })
      this.#wire.send({ jsonrpc: '2.0', id, method, params })
    })
  }

  notify(method: string, params: JsonObject): void {
    this.#wire.send({ jsonrpc: '2.0', method, params })
  }

  /** The id of the last request. */
  get lastId(): number {
    return this.#id
  }

  call(name: string, args: JsonObject = {}, more: JsonObject = { task: {} }): Promise<Said> {
    return this.send('tools/call', { name, arguments: args, ...more })
  }

  async start(name: string, args: JsonObject = {}, more?: JsonObject): Promise<string> {
    const { result, error } = await this.call(name, args, more)
    expect(error).toBeUndefined()
    return (result!.task as { taskId: string }).taskId
  }

  async get(taskId: string): Promise<JsonObject> {
    const { result, error } = await this.send('tasks/get', { taskId })
    expect(error).toBeUndefined()
    return result!
  }

  async until(taskId: string, ...statuses: string[]): Promise<JsonObject> {
    for (;;) {
      const task = await this.get(taskId)
      if (statuses.includes(task.status as string)) return task
      await later(2)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#wire.close()
  }
}
