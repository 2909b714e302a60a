import type { SecretPlace } from '@tenon/host/store'
import {
  type Client,
  type ConnectOptions,
  connect,
  type Implementation,
  type LoggingLevel,
  type LogMessage,
  type Root,
  revisionFacts,
  type Target,
  type Watch,
} from '@tenon/sdk/client'
import { Authorization } from '../authorization/authorization.ts'
import { throttle } from '../events/throttle.ts'
import { RequestProblem, toProblem } from '../problem.ts'
import type { BenchEvent, Problem, ServerSpec, ServerStatus, ServerView } from '../protocol.ts'
import type { Questions } from '../questions/questions.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { Timeline } from '../timeline/timeline.ts'
import { ServerCatalogs } from './catalogs.ts'
import { askThePerson, connectOptionsOf, targetOf, wantsOAuth, withoutFeatures } from './connect-options.ts'
import { LogLines } from './log-lines.ts'
import { withoutSecrets } from './secrets.ts'
import { StderrLines } from './stderr.ts'
import { watchTraffic } from './watch-traffic.ts'

/** The parts of the workbench that a server uses. */
interface ServerContext {
  publish(event: BenchEvent): void
  timeline: Timeline
  questions: Questions
  sessions: Sessions
  tasks: Pick<Tasks, 'connected' | 'disconnected' | 'changed'>
  /** Something that the library warned about, outside of any call or in the call that is running. */
  warn(server: string, message: string): void
  /** A message was sent, which has this row in the timeline. */
  sent(row: number): void
  /** A server has connected, and says its name. */
  connected(server: string, says: Implementation | undefined): void
  /** A server could not be connected. */
  failed(server: string): void
  /** Members of the view that the server does not know itself. */
  about(server: string): Partial<ServerView>
  /** The store of tokens; memory by default. */
  tokens: SecretPlace | undefined
}

const logMs = 100
const noAuthorization = { halting: false, flows: [] }

/** Notifications about tasks, in 2025-11-25 and in the extension. */
const taskNotifications: ReadonlySet<string> = new Set(['notifications/tasks/status', 'notifications/tasks'])

interface Facts extends Partial<Omit<ServerView, 'id' | 'spec' | 'status' | 'since' | 'watched'>> {}

/** A connection that is made by others, who say when it is closed. */
export interface Beside {
  target: Target
  options: ConnectOptions
  closed(): void
}

/** One server of the workbench: how to reach it, and the connection while there is one. */
export class ManagedServer {
  readonly id: string
  readonly stderr: StderrLines = new StderrLines()
  readonly log: LogLines = new LogLines()
  readonly catalogs: ServerCatalogs
  readonly #context: ServerContext
  readonly #watches = new Map<string, Watch>()
  readonly #tellLog = throttle(logMs, () =>
    this.#context.publish({ type: 'log', server: this.id, last: this.log.last }),
  )
  #spec: ServerSpec
  #status: ServerStatus = 'idle'
  #since = Date.now()
  #facts: Facts = {}
  #client: Client | undefined
  #session: string | undefined
  #authorization: Authorization | undefined
  /** Counts connections: late events of an earlier one are not about this one. */
  #attempt = 0
  /** Connections beside the shown one, each with the function that ends it. */
  readonly #beside = new Set<() => Promise<void>>()
  #besideCount = 0
  #stop: AbortController | undefined

  constructor(id: string, spec: ServerSpec, context: ServerContext) {
    this.id = id
    this.#spec = spec
    this.#context = context
    this.catalogs = new ServerCatalogs((catalog) => context.publish({ type: 'catalog', server: id, catalog }))
  }

  get spec(): ServerSpec {
    return this.#spec
  }

  get view(): ServerView {
    return {
      ...this.#facts,
      id: this.id,
      spec: withoutSecrets(this.#spec),
      status: this.#status,
      since: this.#since,
      watched: [...this.#watches.keys()],
      ...this.#context.about(this.id),
    }
  }

  /** Publishes its view. */
  tell(): void {
    this.#context.publish({ type: 'server', server: this.view })
  }

  /** A name changes nothing about the connection. One that a person gives stays, whatever the server says. */
  rename(name: string, { isFound = false }: { isFound?: boolean } = {}): void {
    const { autoName: _, ...spec } = this.#spec
    this.#spec = { ...spec, name, ...(isFound && { autoName: true }) }
    this.tell()
  }

  /** Which connection is shown, while there is one: the number that its messages have in the timeline. */
  get connection(): number | undefined {
    return this.#client === undefined ? undefined : this.#attempt
  }

  /** The `Mcp-Session-Id` of the connection that is shown, if it has one. */
  get session(): string | undefined {
    return this.#session
  }

  /** How this server is signed in to, where that is left to the workbench. */
  get authorization(): Authorization | undefined {
    if (this.#authorization !== undefined || !wantsOAuth(this.#spec)) return this.#authorization
    const { questions, publish, warn, tokens } = this.#context
    this.#authorization = new Authorization(this.id, this.#spec, {
      questions,
      warn: (message) => warn(this.id, message),
      // A person who declines further scopes stays connected.
      refused: () => void (this.#status === 'connecting' && this.disconnect()),
      changed: (authorization) => publish({ type: 'authorization', server: this.id, authorization }),
      ...(tokens && { tokens }),
    })
    return this.#authorization
  }

  /** The client, while there is a connection. */
  get client(): Client {
    if (this.#client !== undefined) return this.#client
    throw new RequestProblem(`${this.#spec.name} is not connected`, 'Connect it first.')
  }

  async update(spec: ServerSpec): Promise<void> {
    await this.disconnect()
    this.#spec = spec
    this.#authorization?.retire()
    this.#authorization = undefined
    this.#context.publish({ type: 'authorization', server: this.id, authorization: noAuthorization })
    this.#become('idle', {})
  }

  async connect(): Promise<void> {
    await this.disconnect()
    const attempt = ++this.#attempt
    const stop = new AbortController()
    this.#stop = stop
    this.#become('connecting', {})
    const start = performance.now()
    try {
      const client = await connect(this.#target(), this.#options(attempt, stop.signal))
      if (attempt === this.#attempt) return this.#connected(client, performance.now() - start)
      await client.close()
    } catch (error) {
      if (attempt === this.#attempt) {
        this.#ended('failed', toProblem(error), attempt)
        this.#context.failed(this.id)
      }
    }
    // Its requests end, also if it was given up before it was open.
    this.#context.timeline.lost(this.id, attempt, Date.now())
  }

  /**
   * Another connection to the same server, beside the shown one. It answers no questions unless the options say so. The
   * caller closes it.
   */
  async open(options: ConnectOptions): Promise<Client> {
    const stop = new AbortController()
    const signal = AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])])
    const beside = this.beside(signal)
    const opening = connect(beside.target, { ...beside.options, ...options, signal })
    const end = async (): Promise<void> => {
      stop.abort()
      const client = await opening.catch(() => undefined)
      await client?.close()
    }
    this.#beside.add(end)
    try {
      const client = await opening
      void client.closed.then(() => {
        this.#beside.delete(end)
        beside.closed()
      })
      return client
    } catch (error) {
      this.#beside.delete(end)
      beside.closed()
      throw error
    }
  }

  /** How to connect beside the shown connection, with all messages in the timeline; `sent` gets the rows of requests. */
  beside(signal: AbortSignal, sent: (row: number) => void = this.#context.sent): Beside {
    const connection = -++this.#besideCount
    return {
      target: this.#target(),
      options: this.#options(connection, signal, sent),
      closed: () => this.#context.timeline.lost(this.id, connection, Date.now()),
    }
  }

  /** Ends every connection; processes are gone when this resolves. */
  async dispose(): Promise<void> {
    await Promise.allSettled([this.disconnect(), ...[...this.#beside].map((end) => end())])
  }

  #target(): Target {
    const { sessions } = this.#context
    if (this.#spec.kind === 'session') return sessions.serve(this.#spec.session)
    return targetOf(this.#spec, (text) => {
      sessions.stderr(this.id, text)
      const lines = this.stderr.add(text)
      if (lines.length > 0) this.#context.publish({ type: 'stderr', server: this.id, lines })
    })
  }

  #options(attempt: number, signal: AbortSignal, sent = this.#context.sent): ConnectOptions {
    const { questions, warn } = this.#context
    const warnHere = (message: string): void => warn(this.id, message)
    const traffic = watchTraffic(this.id, attempt, { ...this.#context, sent })
    const { authorization } = this
    const options: ConnectOptions = {
      ...connectOptionsOf(this.#spec),
      ...(attempt > 0 && askThePerson(this.id, questions)),
      ...(attempt > 0 && this.#listeners(attempt)),
      ...authorization?.optionsFor(attempt > 0),
      ...traffic,
      onHttp: (event) => {
        traffic.onHttp?.(event)
        authorization?.http(event)
        if (attempt === this.#attempt && event.phase === 'request') this.#session = event.headers['Mcp-Session-Id']
      },
      signal,
      onWarning: warnHere,
      onStream: ({ kind: stream }) => {
        if (attempt === this.#attempt) this.#learn({ stream })
      },
    }
    return withoutFeatures(options, this.#spec.client?.without)
  }

  /** Listeners to notifications and requests of the server on the shown connection. */
  #listeners(attempt: number): ConnectOptions {
    return {
      roots: () => {
        if (attempt === this.#attempt) this.#learn({ rootsAskedAt: Date.now() })
        return this.#spec.roots ?? []
      },
      onNotification: ({ method, params }) => {
        if (taskNotifications.has(method)) this.#context.tasks.changed(this.id, params?.taskId)
      },
      onLog: (message: LogMessage) => {
        this.log.add(message)
        this.#tellLog()
      },
    }
  }

  #connected(client: Client, connectMs: number): void {
    const attempt = this.#attempt
    this.#client = client
    const { info, revision, capabilities, instructions } = client.server
    const { stream, rootsAskedAt } = this.#facts
    this.#become('connected', {
      revision,
      facts: revisionFacts(revision),
      capabilities,
      connectMs,
      ...(info && { info }),
      ...(instructions !== undefined && { instructions }),
      ...(stream !== undefined && { stream }),
      ...(rootsAskedAt !== undefined && { rootsAskedAt }),
    })
    this.#context.connected(this.id, info)
    this.catalogs.follow(client)
    this.#context.tasks.connected(this.id, client)
    void client.closed.then((reason) => {
      if (attempt === this.#attempt) this.#ended('closed', toProblem(reason), attempt)
    })
  }

  #ended(status: 'failed' | 'closed', problem: Problem, attempt: number): void {
    this.#client = undefined
    this.#context.tasks.disconnected(this.id)
    this.#watches.clear()
    const lines = this.stderr.end()
    if (lines.length > 0) this.#context.publish({ type: 'stderr', server: this.id, lines })
    this.#context.timeline.lost(this.id, attempt, Date.now())
    this.#become(status, { problem })
  }

  async disconnect(): Promise<void> {
    const client = this.#client
    const attempt = this.#attempt++
    this.#stop?.abort()
    this.#stop = undefined
    if (this.#status === 'idle') return
    this.#client = undefined
    this.#context.tasks.disconnected(this.id)
    this.#watches.clear()
    this.#become('idle', {})
    await client?.close()
    this.#context.timeline.lost(this.id, attempt, Date.now())
  }

  async ping(): Promise<number> {
    const start = performance.now()
    await this.client.ping()
    const pingMs = performance.now() - start
    this.#learn({ pingMs })
    return pingMs
  }

  async setRoots(roots: Root[]): Promise<void> {
    this.#spec = { ...this.#spec, roots }
    this.#learn({})
    if (!this.#spec.client?.without?.includes('roots')) await this.#client?.rootsChanged()
  }

  async setLogLevel(logLevel: LoggingLevel): Promise<void> {
    await this.client.setLoggingLevel(logLevel)
    this.#learn({ logLevel })
  }

  async watch(uri: string): Promise<void> {
    const { client } = this
    if (this.#watches.has(uri)) return
    const tell = (changed: string): void =>
      this.#context.publish({ type: 'resource-updated', server: this.id, uri: changed })
    const watch = await client.watch(uri, (update) => tell(update.uri))
    if (this.#client !== client || this.#watches.has(uri)) return watch.close()
    this.#watches.set(uri, watch)
    this.#learn({})
  }

  async unwatch(uri: string): Promise<void> {
    const watch = this.#watches.get(uri)
    this.#watches.delete(uri)
    this.#learn({})
    await watch?.close()
  }

  async signOut(): Promise<void> {
    await this.disconnect()
    await this.authorization?.signOut()
  }

  /** As if this server had never been signed in to. */
  async startOver(): Promise<void> {
    await this.disconnect()
    await this.authorization?.startOver()
  }

  #become(status: ServerStatus, facts: Facts): void {
    if (this.#status !== status) this.#since = Date.now()
    this.#status = status
    this.#facts = facts
    this.#context.publish({ type: 'server', server: this.view })
  }

  #learn(facts: Facts): void {
    this.#facts = { ...this.#facts, ...facts }
    this.#context.publish({ type: 'server', server: this.view })
  }
}
