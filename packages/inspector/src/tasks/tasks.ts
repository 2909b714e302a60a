import type { Client, Task } from '@tenon/sdk/client'
import { toResult } from '../calls/run-operation.ts'
import { RequestProblem, toProblem } from '../problem.ts'
import type { BenchEvent, Call, Problem, TaskOutcome, TaskView } from '../protocol.ts'
import { hasEnded } from '../protocol-tasks.ts'
import { currentTask } from './current-task.ts'
import { type KnownTask, plainTask } from './known-task.ts'
import { TaskProblem, taskProblem } from './task-problem.ts'

const maxKnown = 1_000
/** A server that lists without end must not fill the page. */
const maxListed = 500
/** Results can be large, and the server has them too. */
const maxOutcomes = 50

const tasksExtension = 'io.modelcontextprotocol/tasks'

const keyOf = (server: string, id: string): string => `${server} ${id}`

/** The tasks of all servers: those that were started here, those that servers list, and those that a person knows the ids of. */
export class Tasks {
  readonly #publish: (event: BenchEvent) => void
  readonly #known = new Map<string, KnownTask>()
  readonly #clients = new Map<string, Client>()
  /** Servers that were removed: their calls may end later than that. */
  readonly #gone = new Set<string>()

  constructor(publish: (event: BenchEvent) => void) {
    this.#publish = publish
  }

  get views(): TaskView[] {
    return [...this.#known.values()].map(({ view }) => view)
  }

  /** There is a connection: followed tasks are followed again. */
  connected(server: string, client: Client): void {
    this.#clients.set(server, client)
    for (const known of this.#of(server)) {
      const { task, origin } = known.view
      // A task of another client may be asking that client.
      const isOurs = origin !== 'listed' || known.stop !== undefined
      if (isOurs && !hasEnded(task)) void this.#follow(known)
    }
    const settings = client.server.capabilities.extensions?.[tasksExtension] as { list?: unknown } | undefined
    if (settings?.list !== undefined) void this.list(server).catch(() => {})
  }

  /** There is none any more; known tasks stay, and can be followed again. */
  disconnected(server: string): void {
    this.#clients.delete(server)
  }

  removed(server: string): void {
    this.disconnected(server)
    this.#gone.add(server)
    for (const known of this.#of(server)) this.#drop(known)
  }

  /** A call that has become a task has progressed, or is over. */
  heard({ server, operation, task, progress, outcome, revision }: Call): void {
    // A connection for one call is closed after it: its task could not be followed.
    if (task === undefined || operation.method !== 'tools/call' || revision !== undefined) return
    if (this.#gone.has(server)) return
    const { name: tool, arguments: args } = operation
    const part = { origin: 'started' as const, tool, arguments: args, isFollowed: true, ...(progress && { progress }) }
    const known = this.#learn(server, task, part)
    known.follower = 'call'
    this.#change(known, part)
    if (outcome === undefined) return
    delete known.follower
    if (outcome.kind === 'result' || hasEnded(known.view.task)) this.#ended(known, outcome)
    else void this.#follow(known)
  }

  /** A notification about a task. The state of tasks that are not followed is read. */
  changed(server: string, id: unknown): void {
    const known = typeof id === 'string' ? this.#known.get(keyOf(server, id)) : undefined
    if (known === undefined || known.follower !== undefined || known.isRead) return
    const reading = this.#clients.get(server)?.tasks.get(known.view.task.taskId)
    if (reading === undefined) return
    known.isRead = true
    reading
      .then((task) => this.#saw(known, task))
      .catch(() => {})
      .finally(() => delete known.isRead)
  }

  async list(server: string): Promise<Task[]> {
    const tasks: Task[] = []
    try {
      for await (const task of this.#client(server).tasks.list()) {
        tasks.push(task)
        this.#learn(server, task, { origin: 'listed' })
        if (tasks.length === maxListed) break
      }
    } catch (error) {
      throw new TaskProblem(taskProblem(error))
    }
    return tasks
  }

  async follow(server: string, id: string): Promise<void> {
    const client = this.#client(server)
    const known = this.#known.get(keyOf(server, id))
    if (known !== undefined) return void this.#follow(known)
    try {
      void this.#follow(this.#learn(server, await client.tasks.get(id), { origin: 'added' }))
    } catch (error) {
      throw new TaskProblem(taskProblem(error))
    }
  }

  async outcome(server: string, id: string): Promise<TaskOutcome> {
    const known = this.#find(server, id)
    if (known.outcome !== undefined) return known.outcome
    if (!hasEnded(known.view.task)) throw new RequestProblem('The task has not ended yet')
    this.#client(server)
    await this.#follow(known)
    // Read again: following has found it out.
    const { outcome, view } = known as KnownTask
    if (outcome !== undefined) return outcome
    throw new TaskProblem(view.problem ?? { kind: 'transport', message: 'The connection ended first' })
  }

  async cancel(server: string, id: string): Promise<void> {
    try {
      await this.#client(server).tasks.cancel(id)
    } catch (error) {
      throw new TaskProblem(taskProblem(error))
    }
    const known = this.#known.get(keyOf(server, id))
    if (known !== undefined && !hasEnded(known.view.task)) void this.#follow(known)
  }

  forget(server: string, id: string): void {
    const known = this.#find(server, id)
    if (known.follower === 'call') throw new RequestProblem('The call that started the task still waits for it')
    this.#drop(known)
  }

  /** Looks after a task until it has ended, or as long as there is a connection. The library asks, and has its questions answered. */
  #follow(known: KnownTask): Promise<void> {
    if (known.follower !== undefined) return known.follower === 'call' ? Promise.resolve() : known.follower
    const { server, task, tool } = known.view
    const client = this.#clients.get(server)
    if (client === undefined) {
      this.#change(known, { isFollowed: false })
      return Promise.resolve()
    }
    const stop = new AbortController()
    known.stop = stop
    let isOver = false
    const onStatus = (seen: Task): void => {
      isOver = hasEnded(seen)
      this.#saw(known, seen)
    }
    known.follower = currentTask.run({ id: task.taskId }, () =>
      client.tasks.result(task.taskId, { onStatus, signal: stop.signal, ...(tool !== undefined && { tool }) }).then(
        (called) => this.#ended(known, { kind: 'result', result: toResult(called) }),
        (error: unknown) => {
          // The error of a failed task is its outcome.
          if (isOver) this.#ended(known, { kind: 'problem', problem: toProblem(error) })
          else this.#lost(known, this.#clients.get(server) === client ? taskProblem(error) : undefined)
        },
      ),
    )
    // Of a task that has ended only the outcome is read.
    if (!hasEnded(task)) this.#change(known, { isFollowed: true })
    return known.follower
  }

  #ended(known: KnownTask, outcome: TaskOutcome): void {
    known.outcome = outcome
    delete known.follower
    this.#change(known, { isFollowed: false })
    const kept = [...this.#known.values()].filter(({ outcome }) => outcome !== undefined)
    for (const other of kept.slice(0, -maxOutcomes)) delete other.outcome
  }

  #lost(known: KnownTask, problem: Problem | undefined): void {
    delete known.follower
    this.#change(known, { isFollowed: false, ...(problem && { problem }) })
    // It came back while this was on its way.
    if (problem === undefined && this.#clients.has(known.view.server)) void this.#follow(known)
  }

  /** The task as it is known here; a new one begins with the given members. */
  #learn(server: string, task: Task, first: Pick<TaskView, 'origin'> & Partial<TaskView>): KnownTask {
    const known = this.#known.get(keyOf(server, task.taskId))
    if (known !== undefined) {
      this.#saw(known, task)
      return known
    }
    const view: TaskView = { isFollowed: false, ...first, server, task: plainTask(task), seenAt: Date.now() }
    const made: KnownTask = { view }
    this.#makeRoom()
    this.#known.set(keyIn(made), made)
    this.#publish({ type: 'task', task: view })
    return made
  }

  #makeRoom(): void {
    if (this.#known.size < maxKnown) return
    const values = [...this.#known.values()]
    this.#drop(values.find(({ view }) => !view.isFollowed) ?? values[0]!)
  }

  #saw(known: KnownTask, task: Task): void {
    const { view } = known
    const seen = plainTask(task)
    // An ended task stays as it is; a late answer can be older.
    if (hasEnded(view.task) || JSON.stringify(seen) === JSON.stringify(view.task)) return
    this.#change(known, { task: seen, seenAt: Date.now() })
  }

  /** A new view; a problem that was there is over with the change. */
  #change(known: KnownTask, part: Partial<TaskView>): void {
    const { problem, ...view } = known.view
    const names = Object.keys(part) as (keyof TaskView)[]
    if (problem === undefined && names.every((name) => view[name as keyof typeof view] === part[name])) return
    known.view = { ...view, ...part }
    if (this.#known.get(keyIn(known)) === known) this.#publish({ type: 'task', task: known.view })
  }

  #drop(known: KnownTask): void {
    const { server, task } = known.view
    this.#known.delete(keyIn(known))
    known.stop?.abort()
    this.#publish({ type: 'task-removed', server, task: task.taskId })
  }

  #of(server: string): KnownTask[] {
    return [...this.#known.values()].filter(({ view }) => view.server === server)
  }

  #find(server: string, id: string): KnownTask {
    const known = this.#known.get(keyOf(server, id))
    if (known === undefined) throw new RequestProblem('This task is not known here', 'Add it by its id.')
    return known
  }

  #client(server: string): Client {
    const client = this.#clients.get(server)
    if (client === undefined) throw new RequestProblem('The server of this task is not connected', 'Connect it first.')
    return client
  }
}

const keyIn = ({ view: { server, task } }: KnownTask): string => keyOf(server, task.taskId)
