import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { Client, JsonObject } from '@tenon/sdk/client'
import { throttle } from '../events/throttle.ts'
import { mayRound, writeExact } from '../exact-json.ts'
import { RequestProblem, toProblem } from '../problem.ts'
import type { BenchEvent, Call, Operation, Outcome } from '../protocol.ts'
import { currentTask } from '../tasks/current-task.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { Timeline } from '../timeline/timeline.ts'
import { runOperation } from './run-operation.ts'

const maxRunning = 200
/** How many finished calls a page that is opened later gets to see, and characters of them in all. */
const keptFinished = 100
const keptCharacters = 8 * 1024 * 1024
const progressMs = 50
/** Characters of an answer that is sent to the page a second time, as text. */
const maxExact = 4 * 1024 * 1024

/** What happens while a call runs. */
interface Course {
  warnings: string[]
  method: string
  sent(row: number, text: string): void
}

/** The calls that the page has made: those that run, and a few that have ended. */
export class Calls {
  readonly #publish: (event: BenchEvent) => void
  readonly #tasks: Pick<Tasks, 'heard'>
  readonly #running = new Map<string, { call: () => Call; stop: AbortController }>()
  readonly #finished: { call: Call; characters: number }[] = []
  #characters = 0
  readonly #timeline: Pick<Timeline, 'get' | 'notAccepted'>
  /** Warnings of the library and requests while a call runs belong to that call. */
  readonly #course = new AsyncLocalStorage<Course>()

  constructor(
    publish: (event: BenchEvent) => void,
    tasks: Pick<Tasks, 'heard'>,
    timeline: Pick<Timeline, 'get' | 'notAccepted'>,
  ) {
    this.#publish = publish
    this.#tasks = tasks
    this.#timeline = timeline
  }

  get known(): Call[] {
    return [...this.#finished.map(({ call }) => call), ...[...this.#running.values()].map(({ call }) => call())]
  }

  /** Keeps a warning with the call that runs at this moment; false if there is none. */
  warned(message: string): boolean {
    const course = this.#course.getStore()
    course?.warnings.push(message)
    return course !== undefined
  }

  /** A message was sent: if it is the request of the call that runs at this moment, the call knows it from now on. */
  sent(row: number): void {
    const course = this.#course.getStore()
    const entry = course && this.#timeline.get(row)
    if (entry?.kind === 'request' && entry.method === course?.method) course.sent(row, entry.text)
  }

  /** `client` may be on its way: the time that takes is not the call's. */
  start(
    server: string,
    client: Client | Promise<Client>,
    operation: Operation,
    timeoutMs?: number,
    onEnd?: (call: Call) => void,
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
    const method = operation.method === 'request' ? operation.name : operation.method
    const sent = (row: number, text: string): void => {
      call = { ...call, sent: { row, first: call.sent?.first ?? row, text } }
      tell()
    }
    const finish = (outcome: Pick<Outcome, 'kind'> & object): void => {
      this.#running.delete(id)
      const durationMs = performance.now() - start
      call = { ...call, outcome: { ...outcome, durationMs, warnings } as Outcome }
      tell.flush()
      this.#tell(call)
      this.#keep(call)
      onEnd?.(call)
    }
    const listeners = {
      signal: stop.signal,
      origin: id,
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
    void this.#course
      .run({ warnings, method, sent }, async () => {
        const opened = await client
        if (client instanceof Promise) {
          start = performance.now()
          call = { ...call, revision: opened.server.revision }
        }
        return await currentTask.run(asking, () => runOperation(opened, operation, listeners))
      })
      .then(
        (result) => finish({ kind: 'result', result, ...this.#asItCame(call) } as Outcome),
        (error: unknown) => {
          const problem = toProblem(error)
          if (problem.kind === 'invalid' && call.sent) this.#timeline.notAccepted(call.sent.row, problem.message)
          finish({ kind: 'problem', problem } as Outcome)
        },
      )
    return id
  }

  /** The result as the server sent it: the library leaves out members that it does not know. */
  #asItCame({ sent, task }: Call): { result?: JsonObject; exact?: string } {
    const { pair } = (sent && this.#timeline.get(sent.row)) ?? {}
    const answer = pair === undefined ? undefined : this.#timeline.get(pair)
    // The result of a task is the answer to another request.
    if (answer?.kind !== 'result' || task !== undefined) return {}
    const { result } = JSON.parse(answer.text) as { result: JsonObject }
    return { result, ...(mayRound(answer.text) && answer.text.length <= maxExact && { exact: answer.text }) }
  }

  cancel(id: string): void {
    this.#running.get(id)?.stop.abort()
  }

  #tell(call: Call): void {
    this.#publish({ type: 'call', call })
    this.#tasks.heard(call)
  }

  #keep(call: Call): void {
    const characters = writeExact(call).length
    this.#finished.push({ call, characters })
    this.#characters += characters
    while (this.#finished.length > keptFinished || (this.#characters > keptCharacters && this.#finished.length > 1))
      this.#characters -= this.#finished.shift()!.characters
  }
}
