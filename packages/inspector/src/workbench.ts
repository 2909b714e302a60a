import { randomUUID } from 'node:crypto'
import { Violations } from './apps/violations.ts'
import { Calls } from './calls/calls.ts'
import { ServersFound } from './config/found-servers.ts'
import type { Evals } from './evals/evals.ts'
import { EventHub } from './events/hub.ts'
import { throttle } from './events/throttle.ts'
import { freeName } from './free-name.ts'
import { type KeptServers, maxServers } from './kept/kept-servers.ts'
import { ServerList } from './kept/server-list.ts'
import { Lints } from './lint/lints.ts'
import type { SeenDefinitions } from './lint/seen-definitions.ts'
import type { SamplingModel } from './model/sampling-model.ts'
import { PageState } from './page-state.ts'
import type { ModelKeys } from './playground/model-keys.ts'
import { Playground } from './playground/playground.ts'
import { RequestProblem } from './problem.ts'
import type { BenchEvent, Challenge, CommandSpec, ServerSpec, Snapshot } from './protocol.ts'
import { Questions } from './questions/questions.ts'
import { newestFirst } from './revisions.ts'
import { SavedCalls } from './saved/saved-calls.ts'
import { SavedRuns } from './saved/saved-runs.ts'
import { ManagedServer } from './servers/managed-server.ts'
import { withHiddenValues } from './servers/secrets.ts'
import { Trust } from './servers/trust.ts'
import { Sessions } from './sessions/sessions.ts'
import { Tasks } from './tasks/tasks.ts'
import { Timeline } from './timeline/timeline.ts'
import { version } from './version.ts'

const trafficMs = 100

/** The parts of a workbench that outlive it. */
interface WorkbenchOptions {
  /** The folder of saved calls. */
  calls: string
  /** The folder of eval cases, and the one that remembers their pass rates. */
  evals: { cases: string; folder: string }
  kept: KeptServers
  model: SamplingModel
  modelKeys: ModelKeys
  seen: SeenDefinitions
}

/** Everything that the page shows: servers, their messages, calls and questions. */
export class Workbench {
  readonly events: EventHub = new EventHub()
  readonly trust: Trust = new Trust()
  readonly page: PageState = new PageState()
  readonly found: ServersFound = new ServersFound()
  readonly timeline: Timeline
  readonly questions: Questions
  readonly tasks: Tasks
  readonly calls: Calls
  readonly sessions: Sessions
  readonly saved: SavedCalls
  readonly savedRuns: SavedRuns = new SavedRuns(this)
  readonly model: SamplingModel
  readonly playground: Playground
  /** Files of prompts with checks. */
  readonly evals: () => Promise<Evals>
  readonly kept: KeptServers
  readonly lints: Lints
  readonly violations: Violations
  readonly list: ServerList = new ServerList(this)
  /** The port of the page that views of servers are shown in. */
  sandboxPort: number | undefined
  readonly #servers = new Map<string, ManagedServer>()
  #evals: Promise<Evals> | undefined

  constructor({ calls, evals, kept, model, modelKeys, seen }: WorkbenchOptions) {
    this.saved = new SavedCalls(calls)
    this.evals = () =>
      (this.#evals ??= import('./evals/evals.ts').then((loaded) => new loaded.Evals(this, evals.folder, evals.cases)))
    const publish = (event: BenchEvent): void => this.events.publish(event)
    this.kept = kept
    kept.onChange = () => publish({ type: 'kept', kept: kept.view })
    this.model = model
    this.playground = new Playground(this, modelKeys, publish)
    const tellTraffic = throttle(trafficMs, () => publish({ type: 'traffic', timeline: this.timeline.range }))
    this.timeline = new Timeline({ nameOf: (server) => this.#servers.get(server)?.spec.name ?? '' }, tellTraffic)
    this.questions = new Questions(publish)
    this.tasks = new Tasks(publish)
    this.calls = new Calls(publish, this.tasks, this.timeline)
    this.sessions = new Sessions(publish)
    this.violations = new Violations(publish)
    this.lints = new Lints(this, seen)
  }

  get servers(): readonly ManagedServer[] {
    return [...this.#servers.values()]
  }

  server(id: string): ManagedServer {
    const server = this.#servers.get(id)
    if (server === undefined) throw new RequestProblem('This server was removed')
    return server
  }

  add(spec: ServerSpec, id: string = randomUUID()): ManagedServer {
    if (this.#servers.size >= maxServers) throw new RequestProblem(`There are ${maxServers} servers already`)
    const taken = new Set(this.servers.map(({ spec: other }) => other.name))
    const server = this.unlisted(spec.autoName ? { ...spec, name: freeName(spec.name, taken) } : spec, id)
    this.#servers.set(server.id, server)
    this.events.publish({ type: 'server', server: server.view })
    return server
  }

  /** A server that the page does not show; the caller disposes of it. */
  unlisted(spec: ServerSpec, id: string = randomUUID()): ManagedServer {
    return new ManagedServer(id, spec, {
      publish: (event) => this.events.publish(event),
      timeline: this.timeline,
      questions: this.questions,
      sessions: this.sessions,
      tasks: this.tasks,
      warn: (_server, message) => void this.calls.warned(message),
      sent: (row) => this.calls.sent(row),
      connected: (server, says) => this.list.later(this.list.connected(server, says)),
      failed: (server) => this.list.later(this.list.failed(server)),
      about: (server) => this.kept.about(server),
      tokens: this.kept.secrets,
    })
  }

  /** Asks a person whether a program may be started. Secrets that the page has never seen are not shown by that. */
  challenge(server: string, spec: CommandSpec): Challenge {
    const challenge = this.trust.challenge(server, spec)
    return this.kept.isRestored(server) ? withHiddenValues(challenge) : challenge
  }

  async remove(id: string): Promise<void> {
    const server = this.server(id)
    this.#servers.delete(id)
    this.events.publish({ type: 'server-removed', server: id })
    this.tasks.removed(id)
    await server.dispose()
  }

  /** Puts the servers into this order. */
  order(ids: readonly string[]): void {
    for (const id of ids) {
      const server = this.server(id)
      this.#servers.delete(id)
      this.#servers.set(id, server)
    }
    this.events.publish({ type: 'order', servers: this.servers.map(({ id }) => id) })
  }

  get snapshot(): Snapshot {
    return {
      servers: this.servers.map(({ view }) => view),
      catalogs: Object.fromEntries(this.servers.map(({ id, catalogs }) => [id, catalogs.known])),
      questions: this.questions.open,
      calls: this.calls.known,
      tasks: this.tasks.views,
      sessions: this.sessions.views,
      authorizations: this.#authorizations(),
      timeline: this.timeline.range,
      kept: this.kept.view,
      playground: this.playground.view,
      page: this.page.entries,
      revisions: [...newestFirst],
      about: { name: 'tenon-inspector', version },
    }
  }

  #authorizations(): Snapshot['authorizations'] {
    const known = this.servers.flatMap(({ id, authorization }) => (authorization ? [[id, authorization.view]] : []))
    return Object.fromEntries(known)
  }

  /** Ends every connection; server processes are gone when this resolves. */
  async close(): Promise<void> {
    await this.savedRuns.close()
    await this.playground.stop()
    await (await this.#evals)?.close()
    await Promise.allSettled(this.servers.map((server) => server.dispose()))
    await this.list.settled
    await this.lints.close()
    await this.kept.secrets?.settled(5_000)
  }
}
