import { randomUUID } from 'node:crypto'
import { type CallResult, type CallsFile, type ServerSpec as FileServer, runCalls } from '@tenon/replay'
import type { Client, ConnectOptions, JsonObject, Revision } from '@tenon/sdk/client'
import { Agreement, serverFor, specOf } from '../files/file-servers.ts'
import { RequestProblem, toProblem } from '../problem.ts'
import type { SavedResult, SavedRun } from '../protocol.ts'
import type { ManagedServer } from '../servers/managed-server.ts'
import type { Workbench } from '../workbench.ts'
import { withNeeded } from './needed.ts'

const maxRuns = 20
const maxOutcome = 200_000

/** The calls to run, and the server and revisions. */
interface RunWish {
  calls?: readonly number[]
  revisions?: readonly Revision[]
  /** A server of the workbench, instead of those that the file names. */
  server?: ManagedServer
}

interface Running {
  view: SavedRun
  stop: AbortController
  /** Its connections and processes are gone. */
  ended: Promise<void>
  agreement: Agreement
}

/** Makes saved calls, on connections of their own. */
export class SavedRuns {
  readonly #bench: Workbench
  readonly #running = new Map<string, Running>()

  constructor(bench: Workbench) {
    this.#bench = bench
  }

  start(file: CallsFile, wish: RunWish): string {
    if (this.#running.size >= maxRuns) throw new RequestProblem(`${maxRuns} runs are going on already`)
    const id = randomUUID()
    const chosen = wish.calls === undefined ? undefined : withNeeded(wish.calls, file.calls)
    const rounds = (wish.revisions ?? file.revisions ?? [undefined]).length
    const total = (chosen?.size ?? file.calls.length) * rounds
    const view: SavedRun = { id, collection: file.path, total, state: 'running' }
    const agreement = new Agreement(this.#bench, (challenge) => {
      const { challenge: _, ...rest } = run.view
      run.view = { ...rest, ...(challenge && { challenge }) }
      this.#tell(run)
    })
    const run: Running = { view, stop: new AbortController(), ended: Promise.resolve(), agreement }
    this.#running.set(id, run)
    this.#tell(run)
    run.ended = this.#run(run, file, wish, chosen)
    return id
  }

  stop(id: string): void {
    const run = this.#running.get(id)
    run?.stop.abort()
    run?.agreement.giveUp()
  }

  /** The person has decided about a program that a run wants to start. */
  agree(id: string, challenge: string, agreed: boolean): void {
    const run = this.#running.get(id)
    if (run === undefined) throw new RequestProblem('Nobody waits for this answer any more')
    run.agreement.answer(challenge, agreed)
  }

  async close(): Promise<void> {
    const ending = [...this.#running].map(([id, { ended }]) => {
      this.stop(id)
      return ended
    })
    await Promise.all(ending)
  }

  async #run(run: Running, file: CallsFile, wish: RunWish, chosen: ReadonlySet<number> | undefined): Promise<void> {
    // Servers that only the file knows, for as long as the run takes.
    const own: ManagedServer[] = []
    try {
      await runCalls(file, {
        connect: (server, options) => this.#connect(run, server, options, { file, wish, own }),
        ...(wish.revisions && { revisions: wish.revisions }),
        ...(chosen && { filter: ({ index }) => chosen.has(index) }),
        signal: run.stop.signal,
        onEvent: (event) => {
          if (event.kind === 'finished') this.#tell(run, [toResult(event.result)])
        },
      })
      run.view = { ...run.view, state: run.stop.signal.aborted ? 'stopped' : 'done' }
    } catch (error) {
      run.view = { ...run.view, state: 'stopped', problem: toProblem(error) }
    }
    await Promise.all(own.map((server) => server.dispose()))
    this.#running.delete(run.view.id)
    this.#tell(run)
  }

  async #connect(
    run: Running,
    server: FileServer,
    options: ConnectOptions,
    { file, wish, own }: { file: CallsFile; wish: RunWish; own: ManagedServer[] },
  ): Promise<Client> {
    const written = file.servers.get(server.name) ?? server
    const target = wish.server ?? serverFor(this.#bench, written) ?? this.#bench.unlisted(specOf(server))
    if (!this.#bench.servers.includes(target)) own.push(target)
    await run.agreement.ask(target)
    return target.open(options)
  }

  #tell({ view }: Running, results: SavedResult[] = []): void {
    this.#bench.events.publish({ type: 'saved-run', run: view, results })
  }
}

function toResult({ revision, failures, outcome, ...rest }: CallResult): SavedResult {
  const isShort = outcome !== undefined && JSON.stringify(outcome).length <= maxOutcome
  return {
    ...rest,
    ...(revision !== undefined && { revision }),
    ...(isShort && { outcome: outcome as JsonObject }),
    failures: failures.map(({ place, expected, found, ...failure }) => ({
      ...failure,
      ...(expected !== undefined && { expected }),
      ...(found !== undefined && { found: shortened(found) }),
      ...(place && { line: place.line }),
    })),
  }
}

const shortened = (value: unknown): unknown => {
  const text = JSON.stringify(value) ?? ''
  return text.length > maxOutcome ? `${text.slice(0, 1_000)}…` : value
}
