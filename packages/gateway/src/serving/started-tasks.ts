import type { JsonObject } from '@tenon/sdk/client'
import type { BackendRequest } from '@tenon/sdk/relay'
import type { GatewayRequest } from '../model.ts'

/** The most tasks whose calls are remembered. */
const maxTasks = 10_000

/** A result of a task, and how a changed one takes its place. */
interface TaskResult {
  readonly request: GatewayRequest
  readonly result: JsonObject
  replace(result: JsonObject): JsonObject
}

/** Remembers which call each task belongs to. */
export class StartedTasks {
  readonly #calls = new Map<string, GatewayRequest>()

  add({ resultType, taskId }: JsonObject, call: GatewayRequest): void {
    if (resultType !== 'task' || typeof taskId !== 'string') return
    this.#calls.set(taskId, { ...call, args: {} })
    if (this.#calls.size > maxTasks) this.#calls.delete(this.#calls.keys().next().value!)
  }

  /** The result that an answer about a task contains, and its call; undefined if it contains none. */
  callOf(
    { method, params }: BackendRequest,
    answer: JsonObject,
    unknownCall: () => GatewayRequest,
  ): TaskResult | undefined {
    const request = this.#calls.get(params.taskId as string) ?? unknownCall()
    if (method === 'tasks/result') return { request, result: answer, replace: (result) => result }
    const { result } = answer
    if (method !== 'tasks/get' || typeof result !== 'object' || result === null) return undefined
    return { request, result: result as JsonObject, replace: (changed) => ({ ...answer, result: changed }) }
  }
}
