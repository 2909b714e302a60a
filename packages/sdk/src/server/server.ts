import type { McpError } from '../errors.ts'
import type { KeptFigures, KeptKind } from '../internal/budget.ts'
import type { Channel } from '../jsonrpc/channel.ts'
import type { Caller, ConnectionInfo } from './caller.ts'
import { ServedConnection } from './connection.ts'
import { Definition } from './definition/definition.ts'
import type { MountOptions } from './definition/mounted-backends.ts'
import type { Registry } from './definition/registry.ts'
import { Dispatcher } from './dispatch/dispatcher.ts'
import type { ServerPrompt } from './features/prompt.ts'
import type { ServerResource, ServerResourceTemplate } from './features/resource.ts'
import type { ServerTool } from './features/tool.ts'
import type { ServerOptions } from './options.ts'
import { loadTasks } from './tasks/lazy-tasks.ts'
import type { TaskWorkers, TaskWorkOptions } from './tasks/task-work.ts'

/** Resources and templates, and their notifications. */
export interface ResourceRegistry<App> extends Registry<ServerResource<App> | ServerResourceTemplate<App>> {
  /** Notifies the clients that subscribed to a URI that its contents changed. */
  changed(uri: string): void
  /** Notifies clients that the list changed: for templates whose `list` depends on something outside. */
  listChanged(): void
}

/** One client on one channel. */
export interface ServerConnection extends AsyncDisposable {
  /** The client, once a handshake took place. */
  readonly caller: Caller | undefined
  /** Resolves when the connection ended, with the reason. */
  readonly closed: Promise<McpError>
  ping(): Promise<void>
  close(): Promise<void>
}

/** The tasks of a server. */
export interface ServerTasks {
  /**
   * Takes care of tasks whose process died: those that used `ctx.once` or were answered go on, the others fail. Done by
   * itself when the first request comes to a server with a `tasks.store`.
   */
  resume(): Promise<void>
  /**
   * Takes the tasks of all processes that share a `tasks.queue`, until it is closed: for processes that serve no
   * clients. Those that serve HTTP do so by themselves.
   */
  work(options?: TaskWorkOptions): Promise<TaskWorkers>
}

/** Only the type checker knows it. */
declare const knownTools: unique symbol

/** A server whose tools are known by type. */
export interface KnowsTools<Tools> {
  readonly [knownTools]?: Tools
}

/** The types of some tools; unknown if there are none yet, or if one of them is not known. */
type OneOf<Types extends readonly unknown[]> = Types extends readonly [] ? unknown : Types[number]

/** A server: one definition for any number of connections, in every revision. `Tools` are the types of those that it was made with. */
export interface Server<App = unknown, Tools = unknown> extends KnowsTools<Tools> {
  readonly name: string
  readonly version: string
  /** The offers of the server; connected clients are notified of changes. */
  readonly tools: Registry<ServerTool<App>>
  readonly resources: ResourceRegistry<App>
  readonly prompts: Registry<ServerPrompt<App>>
  readonly tasks: ServerTasks
  /** How many bytes are kept for clients at the moment, and how many may be (`limits.maxKeptBytes`). */
  readonly kept: { readonly [kind in KeptKind]: KeptFigures }
  /** Adds the offers of another server, with a prefix before the names of its tools and prompts. Returns the undo. */
  mount(other: AnyServer, options?: MountOptions): () => void
  /** Serves a client on a channel. */
  connect(channel: Channel, info?: ConnectionInfo): ServerConnection
}

/** A server with any context. */
export type AnyServer = Pick<Server, 'name' | 'version' | 'connect'>

/** Handlers that want a context must be given one. */
type ContextIfNeeded<App> = unknown extends App ? object : { context: NonNullable<ServerOptions<App>['context']> }

const dispatchers = new WeakMap<object, Dispatcher>()

/**
 * Makes a server.
 *
 * @example
 * const server = createServer({ name: 'tables', version: '1.0.0', tools: [book], prompts: [greet] })
 * await serveStdio(server)
 */
export function createServer<App = unknown, const Types extends readonly unknown[] = readonly unknown[]>(
  options: ServerOptions<App, Types> & ContextIfNeeded<App>,
): Server<App, OneOf<Types>> {
  const definition = new Definition(options as unknown as ServerOptions<never>)
  const dispatcher = new Dispatcher(definition)
  const resources = Object.assign(definition.resources, {
    changed: (uri: string) => definition.emit({ kind: 'resource', uri }),
    listChanged: () => definition.emit({ kind: 'list', feature: 'resources', visible: undefined, owner: definition }),
  })
  const server = Object.freeze({
    name: options.name,
    version: options.version,
    tools: definition.tools,
    resources,
    prompts: definition.prompts,
    tasks: {
      resume: async () => (await loadTasks()).tasksOf(definition).resume(),
      work: async (how?: TaskWorkOptions) => (await import('./tasks/task-work.ts')).workOnTasks(definition, how),
    },
    get kept() {
      return definition.budget.figures
    },
    mount: (other: AnyServer, how: MountOptions = {}) => definition.mount(dispatcherOf(other).definition, how),
    connect: (channel: Channel, info: ConnectionInfo = { transport: 'channel' }) => connect(dispatcher, channel, info),
  }) as unknown as Server<App, OneOf<Types>>
  dispatchers.set(server, dispatcher)
  return server
}

/** Answers the requests to a server; for transports that answer without a connection. */
export function dispatcherOf(server: AnyServer): Dispatcher {
  const dispatcher = dispatchers.get(server)
  if (dispatcher === undefined) throw new TypeError('expected a server made by createServer')
  return dispatcher
}

function connect(dispatcher: Dispatcher, channel: Channel, info: ConnectionInfo): ServerConnection {
  channel.useBudget?.(dispatcher.definition.budget)
  const connection = new ServedConnection(dispatcher, channel, { ...info })
  return {
    get caller() {
      return connection.caller
    },
    closed: connection.ended,
    ping: () => connection.ping(),
    close: () => connection.close(),
    [Symbol.asyncDispose]: () => connection.close(),
  }
}
