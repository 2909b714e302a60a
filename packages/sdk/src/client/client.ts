import { Allowance } from '../allowance.ts'
import { McpError } from '../errors.ts'
import type { Extension, Methods } from '../extension/extension.ts'
import type { IncomingRequest } from '../jsonrpc/incoming.ts'
import type { JsonObject, Notification } from '../jsonrpc/message.ts'
import type { CompleteParams, CompleteResult, CompletionReference } from '../model/completion.ts'
import { isLoggingLevel, type LoggingLevel, loggingLevels } from '../model/logging.ts'
import type { GetPromptResult, ListPromptsResult, Prompt } from '../model/prompts.ts'
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
} from '../model/resources.ts'
import type { ListToolsResult, Tool } from '../model/tools.ts'
import { type ExtensionClient, extensionClient } from './calls/extension-client.ts'
import { allItems, type ListPage, type PagedList } from './calls/pagination.ts'
import { RequestSender } from './calls/request-sender.ts'
import { ResponseCache } from './calls/response-cache.ts'
import { ToolCalls, type ToolHost } from './calls/tool-calls.ts'
import { ClientDescription } from './connecting/client-description.ts'
import { connectToTarget } from './connecting/connect-to-target.ts'
import type { ClientConnection, ConnectionOwner } from './connecting/connection.ts'
import { type KeepAliveOptions, keepAlive } from './connecting/keep-alive.ts'
import type { ReconnectingConnection } from './connecting/reconnecting-connection.ts'
import type { Opener } from './connecting/target.ts'
import { ElicitationIds } from './input/elicitation-ids.ts'
import type { InputSources } from './input/input-sources.ts'
import { inputModule } from './input/lazy-input-module.ts'
import { RootList } from './input/roots.ts'
import { dispatchNotification, type NotificationSinks } from './notifications/dispatch-notification.ts'
import { ServerChanges } from './notifications/server-changes.ts'
import { omitUndefined } from './omit-undefined.ts'
import { type ClientSettings, callListener, type RootsSource, toError } from './options.ts'
import { ClientTasks } from './tasks/client-tasks.ts'
import { TaskPollers } from './tasks/polling/task-pollers.ts'
import type { ToolCallOptions } from './tasks/types.ts'
import type {
  CallOptions,
  ChangeKind,
  PageOptions,
  ResourceUpdate,
  ServerDescription,
  ToolCallResult,
  Watch,
} from './types.ts'

/** A connection to one server. Made by `connect`. */
export class Client implements AsyncDisposable {
  /** Tool calls that go on after they were answered. */
  readonly tasks: ClientTasks
  readonly #settings: ClientSettings
  readonly #description: ClientDescription
  readonly #connection: ReconnectingConnection
  readonly #requests: RequestSender
  readonly #pollers: TaskPollers
  readonly #toolCalls: ToolCalls
  readonly #roots: RootList
  readonly #changes: ServerChanges
  readonly #sinks: NotificationSinks
  readonly #sources: InputSources
  readonly #cache: ResponseCache | undefined

  private constructor(opener: Opener, settings: ClientSettings) {
    this.#settings = settings
    this.#description = new ClientDescription(settings)
    this.#roots = new RootList(settings.roots)
    this.#cache = settings.cache === false ? undefined : new ResponseCache(settings.cache)
    this.#changes = new ServerChanges({
      settings,
      connection: () => this.#connection.current(),
      call: (method, params) => this.#requests.call(method, params),
      forget: () => this.#forget(),
    })
    this.#sinks = {
      settings,
      changes: this.#changes,
      elicitations: new ElicitationIds(),
      changed: (kind) => {
        if (kind === 'tools') this.#toolCalls.outputs.forget()
        this.#cache?.changed(kind)
      },
      updated: (uri) => this.#cache?.updated(uri),
      taskChanged: (task) => this.#pollers.changed(task),
    }
    const { maxQuestionsPerMinute: perMinute } = settings
    this.#sources = {
      settings,
      roots: this.#roots,
      elicitations: this.#sinks.elicitations,
      ...(perMinute !== undefined && { allowance: new Allowance({ perMinute }) }),
    }
    const host = this.#host()
    this.#pollers = new TaskPollers(host)
    this.#toolCalls = new ToolCalls(host, this.#pollers)
    this.tasks = new ClientTasks(host, this.#pollers, this.#toolCalls)
    this.#connection = connectToTarget(opener, this.#owner(), (connection, because) =>
      this.#restored(connection, because),
    )
    this.#requests = new RequestSender(this.#connection, this.#sources, this.#cache)
    void this.closed.then(() => this.#changes.close())
  }

  /** Opens the connection; for `connect`. */
  static async open(opener: Opener, settings: ClientSettings): Promise<Client> {
    const client = new Client(opener, settings)
    await client.#connection.start()
    if (settings.keepAlive !== undefined) client.#keepAlive(settings.keepAlive)
    return client
  }

  #keepAlive(options: KeepAliveOptions): void {
    const stop = keepAlive(options, {
      ping: (timeoutMs) => this.ping({ timeoutMs, maxTotalMs: timeoutMs }),
      failed: (reason) => {
        this.#settings.report(reason)
        this.#connection.lost(this.#connection.latest, reason)
      },
    })
    void this.closed.then(stop)
  }

  /** What the server said about itself. After a restart this may be something else. */
  get server(): ServerDescription {
    return this.#connection.latest.server
  }

  /** Resolves with the reason when the connection is gone for good; never rejects. */
  get closed(): Promise<McpError> {
    return this.#connection.closed
  }

  // Tools

  /** All tools, following the server's pages. */
  tools(options: CallOptions = {}): AsyncGenerator<Tool, void, undefined> {
    return this.#all({
      name: 'tools',
      fetch: (cursor) => this.listTools(withCursor(options, cursor)),
      items: (page) => page.tools,
      id: ({ name }) => name,
    })
  }

  /** One page of the tools. */
  async listTools(options: PageOptions = {}): Promise<ListToolsResult> {
    const page = await this.#page<ListToolsResult>('tools/list', options)
    this.#toolCalls.outputs.learn(page.tools)
    return page
  }

  /**
   * Calls a tool. A tool that ran and failed is a result with `isError`; a call that could not be made throws.
   *
   * @example
   * const { structured } = await client.callTool<{ sum: number }>('add', { a: 1, b: 2 }, { timeoutMs: 5_000 })
   */
  callTool<Structured = unknown>(
    name: string,
    args?: { [name: string]: unknown },
    options: ToolCallOptions = {},
  ): Promise<ToolCallResult<Structured>> {
    return this.#toolCalls.call(name, args, options)
  }

  // Resources

  /** All resources, following the server's pages. */
  resources(options: CallOptions = {}): AsyncGenerator<Resource, void, undefined> {
    return this.#all({
      name: 'resources',
      fetch: (cursor) => this.listResources(withCursor(options, cursor)),
      items: (page) => page.resources,
      id: ({ uri }) => uri,
    })
  }

  /** One page of the resources. */
  listResources(options: PageOptions = {}): Promise<ListResourcesResult> {
    return this.#page('resources/list', options)
  }

  /** All resource templates, following the server's pages. */
  resourceTemplates(options: CallOptions = {}): AsyncGenerator<ResourceTemplate, void, undefined> {
    return this.#all({
      name: 'resourceTemplates',
      fetch: (cursor) => this.listResourceTemplates(withCursor(options, cursor)),
      items: (page) => page.resourceTemplates,
      id: ({ uriTemplate }) => uriTemplate,
    })
  }

  /** One page of the resource templates. */
  listResourceTemplates(options: PageOptions = {}): Promise<ListResourceTemplatesResult> {
    return this.#page('resources/templates/list', options)
  }

  /** Reads a resource. */
  async readResource(uri: string, options: CallOptions = {}): Promise<ReadResourceResult> {
    return (await this.#requests.call('resources/read', { uri }, options)) as unknown as ReadResourceResult
  }

  /**
   * Calls the listener when a resource changes, until the watch is closed; also after a time in which changes could not
   * be heard. Several watches share one subscription. Throws if the server does not tell of this resource.
   */
  watch(uri: string, listener: (update: ResourceUpdate) => void): Promise<Watch> {
    return this.#changes.watches.add(uri, listener)
  }

  // Prompts and completion

  /** All prompts, following the server's pages. */
  prompts(options: CallOptions = {}): AsyncGenerator<Prompt, void, undefined> {
    return this.#all({
      name: 'prompts',
      fetch: (cursor) => this.listPrompts(withCursor(options, cursor)),
      items: (page) => page.prompts,
      id: ({ name }) => name,
    })
  }

  /** One page of the prompts. */
  listPrompts(options: PageOptions = {}): Promise<ListPromptsResult> {
    return this.#page('prompts/list', options)
  }

  /** Fills in a prompt. */
  async getPrompt(
    name: string,
    args?: { [name: string]: string },
    options: CallOptions = {},
  ): Promise<GetPromptResult> {
    const params = args ? { name, arguments: omitUndefined(args) } : { name }
    return (await this.#requests.call('prompts/get', params, options)) as unknown as GetPromptResult
  }

  /** Suggests values for an argument of a prompt or a variable of a resource template. */
  async complete(
    ref: CompletionReference,
    argument: CompleteParams['argument'],
    { context, ...options }: CallOptions & Pick<CompleteParams, 'context'> = {},
  ): Promise<CompleteResult['completion']> {
    const params = { ref, argument, ...(context && { context }) }
    const result = (await this.#requests.call('completion/complete', params, options)) as unknown as CompleteResult
    return result.completion
  }

  // Logging, liveness, roots

  /**
   * Sets the least severe level of log messages that the server shall send. Where a revision has no session to set it
   * for, every later request carries the level instead.
   */
  async setLogLevel(level: LoggingLevel, options: CallOptions = {}): Promise<void> {
    if (!isLoggingLevel(level)) {
      throw new McpError(
        'invalid_argument',
        `level: expected one of ${loggingLevels.join(', ')}, got ${JSON.stringify(level)}`,
      )
    }
    const connection = await this.#connection.current(options.signal)
    await connection.conversation.setLoggingLevel(level, connection, this.#requests, options)
    this.#description.logLevel = level
  }

  /** Makes sure that the server answers: a `ping`, or `server/discover` in revisions that have no `ping`. */
  async ping(options: CallOptions = {}): Promise<void> {
    const { conversation } = await this.#connection.current(options.signal)
    await conversation.ping(this.#requests, options)
  }

  /** Replaces the roots and tells the server, where its revision can be told. Needs `roots` given to `connect`. */
  async setRoots(roots: RootsSource): Promise<void> {
    this.#roots.replace(roots)
    await this.rootsChanged()
  }

  /** Tells the server that the roots are others now; for roots given as a function. */
  async rootsChanged(): Promise<void> {
    if (!this.#roots.offered) throw new McpError('unsupported', 'Roots were not declared: give `roots` to connect')
    const connection = await this.#connection.current()
    const method = 'notifications/roots/list_changed'
    if (connection.codec.notifications.client.has(method)) await connection.notify(method)
  }

  // Everything else

  /**
   * Calls the listener when a list of the server has changed, or may have while nobody could tell; the returned function
   * stops that. Only servers with the capability `listChanged` tell; for others there is a warning.
   */
  onChange(kind: ChangeKind, listener: () => void): () => void {
    return this.#changes.onChange(kind, listener, this.#connection.latest)
  }

  /**
   * An extension on this connection, with its types.
   *
   * @example
   * const { hits } = await client.extension(search).request('search/query', { text: 'tenon' })
   */
  extension<M extends Methods>(extension: Extension<M>): ExtensionClient<M> {
    const client = this
    return extensionClient(extension, {
      get server() {
        return client.server
      },
      declares: (id) => Object.hasOwn(this.#description.capabilities.extensions ?? {}, id),
      request: (method, params, options) => this.request(method, params, options),
    })
  }

  /** Sends any request, without a look at capabilities: for extensions. */
  request(method: string, params: JsonObject = {}, options: CallOptions = {}): Promise<JsonObject> {
    return this.#requests.request(method, params, options)
  }

  /** Sends any notification: for extensions. */
  async notify(method: string, params: JsonObject = {}): Promise<void> {
    const connection = await this.#connection.current()
    await connection.notify(method, params)
  }

  /** Ends the connection; a server process is gone when this resolves. */
  close(): Promise<void> {
    this.#changes.close()
    return this.#connection.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  // Inside

  async #page<Result extends ListPage>(method: string, options: PageOptions): Promise<Result> {
    const { cursor, ...call } = options
    const page = (await this.#requests.call(method, cursor === undefined ? {} : { cursor }, call)) as unknown as Result
    return this.#connection.latest.conversation.finishPage(page)
  }

  #all<Result extends ListPage, Item>(listing: PagedList<Result, Item>): AsyncGenerator<Item, void, undefined> {
    return allItems(listing, this.#settings.maxPages)
  }

  #host(): ToolHost {
    return {
      call: (method, params, options) => this.#requests.call(method, params, options),
      listTools: (options) => this.tools(options),
      connection: () => this.#connection.latest,
      ended: () => this.#connection.ended,
      closed: () => this.#connection.closed,
      sources: this.#sources,
    }
  }

  #owner(): ConnectionOwner {
    return {
      settings: this.#settings,
      description: this.#description,
      answer: (request: IncomingRequest, connection: ClientConnection) =>
        inputModule(({ answerRequest }) => answerRequest(request, connection, this.#sources)),
      notified: (message: Notification, connection: ClientConnection) =>
        dispatchNotification(message, connection, this.#sinks),
      closed: (connection: ClientConnection, reason: McpError) => this.#connection.lost(connection, reason),
    }
  }

  /** A new server process, or a new session, knows nothing: tells it what the old one had been told. */
  #restored(connection: ClientConnection, because: 'restart' | 'session'): void {
    this.#forget()
    this.#pollers.restored()
    const level = this.#description.logLevel
    const told = [
      this.#changes.renew(connection),
      ...(level === undefined ? [] : [connection.conversation.restoreLoggingLevel(level, this.#requests)]),
    ]
    for (const step of told) step.catch((error: unknown) => this.#settings.report(toError(error)))
    if (because === 'restart') callListener(this.#settings.report, this.#settings.onRestart, connection.server)
  }

  #forget(): void {
    this.#toolCalls.outputs.forget()
    this.#cache?.clear()
  }
}

const withCursor = (options: CallOptions, cursor: string | undefined): PageOptions =>
  cursor === undefined ? options : { ...options, cursor }
