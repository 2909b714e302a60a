import type {
  CallOptions,
  CompleteParams,
  CompleteResult,
  CompletionReference,
  GetPromptResult,
  JsonObject,
  ReadResourceResult,
} from '@tenon/sdk/client'
import type { Audit } from './audit/audit.ts'
import { AuditFile } from './audit/audit-file.ts'
import {
  Catalogue,
  type CatalogueTool,
  type HostPrompt,
  type HostResource,
  type HostTemplate,
} from './catalogue/catalogue.ts'
import { LinkedUris } from './catalogue/linked-uris.ts'
import { type FoundTool, ToolIndex } from './catalogue/search.ts'

import type { ChatEvent } from './chat/events.ts'
import type { ChatInput, ChatOptions } from './chat/options.ts'
import { checkLimits, longestTimerMs } from './check-limits.ts'
import { consentFile } from './consent/consent-file.ts'
import { ConsentGate } from './consent/gate.ts'
import { type ConsentStore, RememberedConsents } from './consent/remembered.ts'
import type { ConsentItem } from './consent/types.ts'
import { waitedFor } from './consent/waited-for.ts'
import { type HostListener, HostListeners, type HostProblem } from './events.ts'
import { tenonFolder } from './folder.ts'
import { HostError, messageOf } from './host-error.ts'
import type { AnyLanguageModel } from './models/language-model.ts'
import { type HostOptions, lockPath } from './options.ts'
import { AskPerson } from './questions/ask-person.ts'
import { type Sample, serverQuestions } from './questions/server-questions.ts'
import type { CallInfo } from './questions/types.ts'
import type { HostServer, ServerStatus } from './servers/host-server.ts'
import { type ServerInput, serversOf, toServerConfig } from './servers/server-config.ts'
import { ServerSet } from './servers/server-set.ts'
import type { HostCallOptions, HostTool, HostToolResult, Toolbox } from './toolbox.ts'
import { LockFile } from './trust/lock-file.ts'
import { TrustKeeper } from './trust/trust-keeper.ts'

const noOptions: HostCallOptions = {}

/** Many servers with one catalogue, one function that decides, and one callback for all questions. */
export class Host implements Toolbox, AsyncDisposable {
  readonly #catalogue = new Catalogue()
  readonly #linked = new LinkedUris()
  readonly #listeners: HostListeners
  readonly #gate: ConsentGate
  readonly #trust: TrustKeeper
  readonly #servers: ServerSet
  readonly #audit: Audit | undefined
  readonly #report: (error: Error) => void
  readonly #model: string | AnyLanguageModel | undefined
  #index: ToolIndex<CatalogueTool> | undefined
  #items = new WeakMap<CatalogueTool, ConsentItem>()

  /** For `createHost`, which prepares the rules and the files first. */
  constructor(options: HostOptions, store: ConsentStore | undefined, audit: Audit | undefined) {
    const {
      consent,
      ask,
      model,
      sample = model === undefined ? undefined : sampleFrom(model),
      roots,
      session = {},
      onError = () => {},
    } = options
    this.#model = model
    const lock = lockPath(options)
    const person = new AskPerson(ask)
    this.#report = onError
    this.#audit = audit
    this.#listeners = new HostListeners(onError)
    this.#gate = new ConsentGate({ consent, session, remembered: new RememberedConsents(store), person, audit })
    this.#trust = new TrustKeeper({
      person,
      audit,
      lock: lock === undefined ? undefined : new LockFile(lock, options.folder ?? tenonFolder()),
    })
    this.#listeners.add(({ type }) => {
      if (type === 'stderr') return
      this.#index = undefined
      this.#items = new WeakMap()
    })
    this.#servers = new ServerSet({
      catalogue: this.#catalogue,
      trust: this.#trust,
      listeners: this.#listeners,
      questions: (server) => serverQuestions(server, { person, sample, roots, audit }),
    })
    this.#servers.add(serversOf(options.servers ?? {}))
  }

  // Servers

  /** The servers by name, with state and standard error. */
  get servers(): ReadonlyMap<string, ServerStatus> {
    return this.#servers.servers
  }

  /** Adds a server while the host runs. It is started at once, unless its `start` is `lazy`. */
  addServer(name: string, server: ServerInput): ServerStatus {
    this.#servers.assertOpen()
    if (this.servers.has(name)) {
      throw new HostError('invalid_argument', `There is a server ${JSON.stringify(name)} already`)
    }
    this.#servers.add([[name, toServerConfig(name, server)]])
    return this.#servers.get(name)
  }

  /** Stops a server and forgets it; resolves when its process is gone. */
  async removeServer(name: string): Promise<void> {
    this.#linked.forget(name)
    await this.#servers.remove(name)
  }

  /**
   * Waits until every server is ready or has failed, or until the time is up; lazy ones are started too. Nothing else
   * waits for the slowest server. One that has failed is not tried again, nor is anybody asked about it again.
   */
  async ready({ timeoutMs = 60_000 }: { timeoutMs?: number } = {}): Promise<void> {
    checkLimits({ timeoutMs }, 'ready')
    const signal = AbortSignal.timeout(Math.min(timeoutMs, longestTimerMs))
    const waited = [...this.#servers.servers.values()].filter(({ state }) => state !== 'failed')
    await Promise.all(waited.map((server) => server.connected(signal).catch(() => {})))
  }

  // The catalogue

  /** The tools that may be called, sorted by name. The same function decides about calls. */
  get tools(): readonly HostTool[] {
    return [...this.#catalogue.tools.values()].filter((tool) => this.#gate.isListed(this.#itemOf(tool)))
  }

  /** The servers that nothing has needed yet: their tools are not known. */
  get idle(): readonly string[] {
    return [...this.servers.values()].filter(({ state }) => state === 'idle').map(({ name }) => name)
  }

  /** The tools that fit some words best, best first. */
  search(words: string, { limit = 10 }: { limit?: number } = {}): FoundTool<HostTool>[] {
    this.#index ??= new ToolIndex(this.#catalogue.tools.values())
    const listed = ({ item }: FoundTool<CatalogueTool>): boolean => this.#gate.isListed(this.#itemOf(item))
    return this.#index.search(words, Number.POSITIVE_INFINITY).filter(listed).slice(0, limit)
  }

  get resources(): readonly HostResource[] {
    return this.#catalogue.resources
  }

  get templates(): readonly HostTemplate[] {
    return this.#catalogue.templates
  }

  get prompts(): readonly HostPrompt[] {
    return this.#catalogue.prompts
  }

  /** The approved instructions of the servers, by name: guidance for the model, in the words of the server. */
  get instructions(): ReadonlyMap<string, string> {
    return this.#servers.instructions
  }

  /** Everything that the owner of the host may want to know: collisions, look-alikes, changed definitions. */
  get problems(): readonly HostProblem[] {
    const collisions = this.#catalogue.collisions.map((name): HostProblem => {
      return { code: 'collision', message: `Several tools have the name ${name}: none of them is used` }
    })
    return [...this.#servers.problems, ...collisions]
  }

  // Calls

  /**
   * Calls a tool by the name that models see, after consent.
   *
   * @example
   * const { text } = await host.callTool('weather__forecast', { city: 'Bergen' })
   */
  async callTool(name: string, args: JsonObject = {}, options: HostCallOptions = noOptions): Promise<HostToolResult> {
    const { signal, callId } = options
    const tool = this.#catalogue.tools.get(name) ?? (await this.#servers.findTool(name, signal))
    const server = this.#servers.get(tool.server)
    // No spread where none is needed: every call passes here.
    const base = { name, server: tool.server, tool: tool.sent.name, args }
    const asked: CallInfo = callId === undefined ? base : { ...base, callId }
    const permitted = this.#gate.permit(this.#itemOf(tool), args, { call: asked, signal })
    const allowed = permitted instanceof Promise ? await waitedFor(permitted, options) : permitted
    const client = server.client ?? (await server.connected(signal))
    // A server that was started again, or a long question, may have brought another definition meanwhile.
    if (this.#catalogue.tools.get(name) !== tool) await this.#assertSame(name, tool, options)
    const call = allowed === args ? asked : { ...asked, args: allowed }
    server.calls.add(call)
    try {
      const sent = options === noOptions ? { origin: call } : { ...options, origin: call }
      const result = await client.callTool(call.tool, allowed, sent)
      this.#linked.note(call.server, result.content)
      if (this.#audit !== undefined) this.#noteResult(call, { isError: result.isError })
      return result as unknown as HostToolResult
    } catch (error) {
      if (this.#audit !== undefined) this.#noteResult(call, { error: messageOf(error) })
      throw error
    } finally {
      server.calls.delete(call)
    }
  }

  /** Reads a resource of one server. The URI goes to that server and to no other, whichever scheme it has. */
  async readResource(server: string, uri: string, options: CallOptions = {}): Promise<ReadResourceResult> {
    const { signal } = options
    const of = this.#servers.get(server)
    const allowed = await this.#permitUri(of, uri, signal)
    const client = await this.#servers.get(server).connected(signal)
    const result = await client.readResource(allowed, options)
    // Skills speak to the model, and apps to the person: like definitions they must stay as they were approved.
    if (/^(?:ui|skill):/i.test(allowed)) await this.#trust.reviewContents(of, allowed, result)
    return result
  }

  /** The URI to read. One that the person edited is another resource, and decided about as such. */
  async #permitUri(of: HostServer, uri: string, signal: AbortSignal | undefined): Promise<string> {
    const known = this.#linked.has(of.name, uri) || of.lists.resources.some((resource) => resource.uri === uri)
    const item: ConsentItem = { ...this.#itemBase(of), kind: 'resource', name: uri, known }
    const { uri: edited } = await this.#gate.permit(item, { uri }, { signal })
    if (edited === uri) return uri
    if (typeof edited !== 'string') {
      const found = JSON.stringify(edited)
      throw new HostError('invalid_argument', `ask answered consent with the uri ${found}: expected a string`)
    }
    return this.#permitUri(of, edited, signal)
  }

  /** Fills in a prompt of a server. */
  async getPrompt(
    server: string,
    name: string,
    args: { [name: string]: string } = {},
    options: CallOptions = {},
  ): Promise<GetPromptResult> {
    const { signal } = options
    const of = this.#servers.get(server)
    const item: ConsentItem = { ...this.#itemBase(of), kind: 'prompt', name }
    const allowed = (await this.#gate.permit(item, args, { signal })) as typeof args
    const client = await this.#servers.get(server).connected(signal)
    return client.getPrompt(name, allowed, options)
  }

  /** Suggests values for an argument of a prompt or a variable of a template. */
  async complete(
    server: string,
    ref: CompletionReference,
    argument: CompleteParams['argument'],
    options: CallOptions & Pick<CompleteParams, 'context'> = {},
  ): Promise<CompleteResult['completion']> {
    const client = await this.#servers.get(server).connected(options.signal)
    return client.complete(ref, argument, options)
  }

  // Conversations

  /**
   * A conversation with the model of the host, which may use its tools. The last event is `done` or `error`; leaving the
   * loop early stops the model and the calls.
   *
   * @example
   * for await (const event of host.chat('Will it rain in Bergen?')) {
   *   if (event.type === 'text') process.stdout.write(event.text)
   * }
   */
  async *chat(input: ChatInput, options: HostChatOptions = {}): AsyncGenerator<ChatEvent, void, undefined> {
    const { model = this.#model, ...rest } = options
    if (model === undefined) {
      throw new HostError('invalid_argument', 'chat: expected a model, here or as an option of createHost, got none')
    }
    // Loaded with the first conversation: programs with a loop of their own need none of it.
    const { chat } = await import('./chat/chat.ts')
    yield* chat(this, model, input, rest)
  }

  // Events and the end

  /** Calls the listener with everything that happens; the returned function stops that. */
  onEvent(listener: HostListener): () => void {
    return this.#listeners.add(listener)
  }

  /** Stops all servers; resolves when their processes are gone. */
  async close(): Promise<void> {
    await this.#servers.close()
    await this.#audit?.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #itemBase({ name: server, trusted, origin }: HostServer): Omit<ConsentItem, 'kind' | 'name'> {
    return { server, trusted, origin, warnings: this.#catalogue.warningsOfServer(server) }
  }

  #itemOf(of: CatalogueTool): ConsentItem {
    const known = this.#items.get(of)
    if (known !== undefined) return known
    const { sent, tool, warnings } = of
    const base = this.#itemBase(this.#servers.servers.get(of.server)!)
    const item: ConsentItem = {
      ...base,
      kind: 'tool',
      name: sent.name,
      tool,
      warnings: [...base.warnings, ...warnings],
    }
    this.#items.set(of, item)
    return item
  }

  /** The definition that was decided about must be the one that is called. */
  async #assertSame(name: string, { tool }: CatalogueTool, { signal }: HostCallOptions): Promise<void> {
    const found = this.#catalogue.tools.get(name) ?? (await this.#servers.findTool(name, signal))
    if (JSON.stringify(found.tool) === JSON.stringify(tool)) return
    throw new HostError('untrusted', `The tool ${name} was changed by its server while the call was decided about`)
  }

  /** The call was made, so a log that cannot be written does not change its result. */
  #noteResult({ server, tool: name, callId }: CallInfo, outcome: object): void {
    try {
      this.#audit?.record({ type: 'result', server, name, ...(callId && { callId }), ...outcome })
    } catch (error) {
      this.#report(error as Error)
    }
  }
}

/** Options of `host.chat`. */
export interface HostChatOptions extends ChatOptions {
  /** In place of the model of the host. */
  model?: string | AnyLanguageModel
}

const sampleFrom =
  (model: string | AnyLanguageModel): Sample =>
  async (request, { signal }) => {
    const [{ sampleWith }, { resolveModel }] = await Promise.all([
      import('./models/sampling.ts'),
      import('./models/resolve.ts'),
    ])
    return sampleWith(typeof model === 'string' ? await resolveModel(model) : model, request, { signal })
  }

/**
 * Makes a host. Its servers start in the background: nothing waits for the slowest one.
 *
 * @example
 * await using host = await createHost({
 *   servers: { weather: { command: 'npx', args: ['weather'] }, notes: 'https://example.com/mcp' },
 *   consent: policy({ allow: ['weather.*'], ask: ['notes.*'], deny: ['*.delete_*'] }),
 *   ask: (question) => (question.kind === 'consent' ? 'once' : 'deny'),
 * })
 * const { text } = await host.callTool('weather__forecast', { city: 'Bergen' })
 */
export async function createHost(options: HostOptions = {}): Promise<Host> {
  const { consent, folder, audit } = options
  await consent?.prepare?.()
  const keeps = folder !== undefined || lockPath(options) !== undefined
  const store = keeps ? await consentFile(folder ?? tenonFolder()) : undefined
  return new Host(options, store, typeof audit === 'string' ? new AuditFile(audit) : audit)
}
