import { McpError } from '../errors.ts'
import type { Extension, Methods } from '../extension/extension.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
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
import type { RequestSender } from './calls/request-sender.ts'
import type { ServerLists } from './calls/server-lists.ts'
import { type ClientParts, createClientParts } from './client-parts.ts'
import { type KeepAliveOptions, keepAlive } from './connecting/keep-alive.ts'
import type { ReconnectingConnection } from './connecting/reconnecting-connection.ts'
import type { Opener } from './connecting/target.ts'
import { omitUndefined } from './omit-undefined.ts'
import type { ClientSettings, RootsSource } from './options.ts'
import type { ClientTasks } from './tasks/client-tasks.ts'
import type { ToolCallOptions } from './tasks/types.ts'
import type { ToolArguments, ToolName, ToolStructured } from './tool-types.ts'
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
  /** Tool calls that run as tasks. */
  readonly tasks: ClientTasks
  readonly #parts: ClientParts
  readonly #connection: ReconnectingConnection
  readonly #requests: RequestSender
  readonly #lists: ServerLists

  private constructor(parts: ClientParts) {
    this.tasks = parts.tasks
    this.#parts = parts
    this.#connection = parts.connection
    this.#requests = parts.requests
    this.#lists = parts.lists
  }

  /** Opens the connection; for `connect`. */
  static async open(opener: Opener, settings: ClientSettings): Promise<Client> {
    const parts = createClientParts(opener, settings)
    await parts.connection.start(parts.listeners)
    const client = new Client(parts)
    if (settings.keepAlive !== undefined) client.#keepAlive(settings.keepAlive)
    return client
  }

  #keepAlive(options: KeepAliveOptions): void {
    const connection = this.#connection
    const stop = keepAlive(options, {
      ping: (timeoutMs) => this.ping({ timeoutMs, maxTotalMs: timeoutMs }),
      failed: (reason) => {
        connection.settings.report(reason)
        connection.lost(connection.latest, reason)
      },
    })
    void this.closed.then(stop)
  }

  /** The server's description of itself, which may be another one after a restart. */
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
    return this.#lists.tools(options)
  }

  /** One page of the tools. */
  listTools(options: PageOptions = {}): Promise<ListToolsResult> {
    return this.#lists.toolPage(options)
  }

  /**
   * Calls a tool. A tool that ran and failed is a result with `isError`; a call that could not be made throws.
   *
   * @example
   * const { structured } = await client.callTool<{ sum: number }>('add', { a: 1, b: 2 }, { timeoutMs: 5_000 })
   */
  callTool<Structured = unknown, Self = unknown, const Name extends ToolName<Self> = ToolName<Self>>(
    this: Self,
    name: Name,
    args?: ToolArguments<Self, Name>,
    options?: ToolCallOptions,
  ): Promise<ToolCallResult<ToolStructured<Self, Name, Structured>>>
  callTool(
    this: Client,
    name: string,
    args?: { [name: string]: unknown },
    options: ToolCallOptions = {},
  ): Promise<ToolCallResult<never>> {
    return this.#parts.toolCalls.call(name, args, options)
  }

  // Resources

  /** All resources, following the server's pages. */
  resources(options: CallOptions = {}): AsyncGenerator<Resource, void, undefined> {
    return this.#lists.resources(options)
  }

  /** One page of the resources. */
  listResources(options: PageOptions = {}): Promise<ListResourcesResult> {
    return this.#lists.resourcePage(options)
  }

  /** All resource templates, following the server's pages. */
  resourceTemplates(options: CallOptions = {}): AsyncGenerator<ResourceTemplate, void, undefined> {
    return this.#lists.resourceTemplates(options)
  }

  /** One page of the resource templates. */
  listResourceTemplates(options: PageOptions = {}): Promise<ListResourceTemplatesResult> {
    return this.#lists.resourceTemplatePage(options)
  }

  /** Reads a resource. */
  async readResource(uri: string, options: CallOptions = {}): Promise<ReadResourceResult> {
    return (await this.#requests.call('resources/read', { uri }, options)) as unknown as ReadResourceResult
  }

  /**
   * Calls the listener when a resource changes, until the watch is closed; also after a time without a connection.
   * Several watches share one subscription. Throws if the server does not announce changes of this resource.
   */
  watch(uri: string, listener: (update: ResourceUpdate) => void): Promise<Watch> {
    return this.#parts.changes.watches.add(uri, listener)
  }

  // Prompts and completion

  /** All prompts, following the server's pages. */
  prompts(options: CallOptions = {}): AsyncGenerator<Prompt, void, undefined> {
    return this.#lists.prompts(options)
  }

  /** One page of the prompts. */
  listPrompts(options: PageOptions = {}): Promise<ListPromptsResult> {
    return this.#lists.promptPage(options)
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
   * Sets the least severe level of log messages that the server shall send: by `logging/setLevel`, or in every later
   * request where there is no session.
   */
  async setLoggingLevel(level: LoggingLevel, options: CallOptions = {}): Promise<void> {
    if (!isLoggingLevel(level)) {
      throw new McpError(
        'invalid_argument',
        `level: expected one of ${loggingLevels.join(', ')}, got ${JSON.stringify(level)}`,
      )
    }
    const connection = await this.#connection.current(options.signal)
    await connection.conversation.setLoggingLevel(level, connection.server, this.#requests, options)
    this.#parts.description.logLevel = level
  }

  /** Makes sure that the server answers: a `ping`, or `server/discover` in revisions that have no `ping`. */
  async ping(options: CallOptions = {}): Promise<void> {
    const { conversation } = await this.#connection.current(options.signal)
    await conversation.ping(this.#requests, options)
  }

  /** Replaces the roots and notifies the server, if its revision allows that. Needs `roots` given to `connect`. */
  async setRoots(roots: RootsSource): Promise<void> {
    this.#parts.roots.replace(roots)
    await this.rootsChanged()
  }

  /** Notifies the server of changed roots; for roots given as a function. */
  async rootsChanged(): Promise<void> {
    if (!this.#parts.roots.offered)
      throw new McpError('unsupported', 'Roots were not declared: give `roots` to connect')
    const connection = await this.#connection.current()
    const method = 'notifications/roots/list_changed'
    if (connection.codec.notifications.client.has(method)) await connection.notify(method)
  }

  // Everything else

  /**
   * Calls the listener when a list of the server has changed, or may have without a notification; the returned function
   * stops that. Only servers with the capability `listChanged` announce changes; for others there is a warning.
   */
  onChange(kind: ChangeKind, listener: () => void): () => void {
    return this.#parts.changes.onChange(kind, listener, this.#connection.latest)
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
      declares: (id) => Object.hasOwn(this.#parts.description.capabilities.extensions ?? {}, id),
      request: (method, params, options) => this.request(method, params, options),
    })
  }

  /** Sends any request, without a check of capabilities: for extensions. */
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
    this.#parts.changes.close()
    return this.#connection.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
