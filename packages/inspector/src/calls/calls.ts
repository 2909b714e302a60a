import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { Client } from '@tenon/sdk/client'
import { throttle } from '../events/throttle.ts'
import { RequestProblem, toProblem } from '../problem.ts'
import type { BenchEvent, Call, Operation, Outcome } from '../protocol.ts'
import { currentTask } from '../tasks/current-task.ts'
import type { Tasks } from '../tasks/tasks.ts'
import { runOperation } from './run-operation.ts'

const maxRunning = 200
/** How many finished calls a page that is opened later gets to see. */
const keptFinished = 20
const progressMs = 50

/** The calls that the page has made: those that run, and a few that have ended. */
export class Calls {
  readonly #publish: (event: BenchEvent) => void
  readonly #tasks: Pick<Tasks, 'heard'>
  readonly #running = new Map<string, { call: () => Call; stop: AbortController }>()
  readonly #finished: Call[] = []
  /** Warnings of the library while a call runs belong to that call. */
  readonly #warnings = new AsyncLocalStorage<string[]>()

  constructor(publish: (event: BenchEvent) => void, tasks: Pick<Tasks, 'heard'>) {
    this.#publish = publish
    this.#tasks = tasks
  }

  get known(): Call[] {
    return [...this.#finished, ...[...this.#running.values()].map(({ call }) => call())]
  }

  /** Keeps a warning with the call that runs at this moment; false if there is none. */
  warned(message: string): boolean {
    const warnings = this.#warnings.getStore()
    warnings?.push(message)
    return warnings !== undefined
  }

  /** `client` may be on its way: the time that takes is not the call's. */
  start(
    server: string,
    client: Client | Promise<Client>,
    operation: Operation,
    timeoutMs?: number,
    onEnd?: () => void,
  ): string {
    if (this.#running.size >= maxRunning) throw new RequestProblem(`${maxRunning} calls are running already`)
    const id = randomUUID()
    const stop = new AbortController()
    let call: Call = { id, server, operation, startedAt: Date.now() }
    const tell = throttle(progressMs, () => this.#tell(call))
    const asking: { id?: string } = {}
    this.#running.set(id, { call: () => call, stop })
    tell()
    let start = performance.now()
    const warnings: string[] = []
    const finish = (outcome: Pick<Outcome, 'kind'> & object): void => {
      this.#running.delete(id)
      const durationMs = performance.now() - start
      call = { ...call, outcome: { ...outcome, durationMs, warnings } as Outcome }
      tell.flush()
      this.#tell(call)
      this.#keep(call)
      onEnd?.()
    }
    const listeners = {
      signal: stop.signal,
      ...(timeoutMs !== undefined && { timeoutMs }),
      onProgress: (progress: NonNullable<Call['progress']>) => {
        call = { ...call, progress }
        tell()
      },
      onTask: (task: NonNullable<Call['task']>) => {
        call = { ...call, task }
        asking.id = task.taskId
        tell()
      },
    }
    void this.#warnings
      .run(warnings, async () => {
        const opened = await client
        if (client instanceof Promise) {
          start = performance.now()
          call = { ...call, revision: opened.server.revision }
        }
        return await currentTask.run(asking, () => runOperation(opened, operation, listeners))
      })
      .then(
        (result) => finish({ kind: 'result', result } as Outcome),
        (error: unknown) => finish({ kind: 'problem', problem: toProblem(error) } as Outcome),
      )
    return id
  }

  cancel(id: string): void {
    this.#running.get(id)?.stop.abort()
  }

  #tell(call: Call): void {
    this.#publish({ type: 'call', call })
    this.#tasks.heard(call)
  }

  #keep(call: Call): void {
    this.#finished.push(call)
    if (this.#finished.length > keptFinished) this.#finished.shift()
  }
}
