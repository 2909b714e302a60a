import { McpError } from '../../errors.ts'
import { Budget } from '../../internal/budget.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { ServerCapabilities } from '../../model/capabilities.ts'
import { wrongExtensionName } from '../../model/extension-name.ts'
import type { Implementation } from '../../model/meta.ts'
import { isRevision, type Revision, revisions } from '../../model/revision.ts'
import { tasksExtension } from '../../model/tasks.ts'
import { showKept } from '../../telemetry/kept.ts'
import type { Codec } from '../../wire/codec.ts'
import { codecFor } from '../../wire/codecs.ts'
import { listRule } from '../access/scopes.ts'
import type { Visible } from '../access/visibility.ts'
import type { Backend } from '../backend.ts'
import type { Caller } from '../caller.ts'
import type { CallerState } from '../caller-state.ts'
import { sortRevisions } from '../conversations.ts'
import type { ServerPrompt } from '../features/prompt.ts'
import type { ServerResource, ServerResourceTemplate } from '../features/resource.ts'
import type { ServerTool } from '../features/tool.ts'
import type { ServerOptions } from '../options.ts'
import { MemorySpentStates, type SpentStates } from '../stateless/spent-states.ts'
import { checkKeys } from '../stateless/state-keys.ts'
import type { Bus } from '../subscriptions/bus.ts'
import type { SharedServer } from '../subscriptions/change-bus.ts'
import type { ChangeHistory } from '../subscriptions/change-order.ts'
import { type ChangeSource, coreTopics, type Topic } from '../subscriptions/topics.ts'
import { type SharedTasks, serverTaskQueue, serverTaskSettings } from '../tasks/task-options.ts'
import type { PassedReport } from '../tasks/task-report.ts'
import { taskTopics } from '../tasks/task-topics.ts'
import { type CompiledCache, compileCache } from './cache-policy.ts'
import { ChangeFeed } from './change-feed.ts'
import type { ChangeListener, ServerChange } from './changes.ts'
import { checkPrefix } from './check-names.ts'
import {
  checkInfo,
  checkKeptBytes,
  checkList,
  checkPageSizes,
  checkRevisions,
  checkServerOptions,
} from './check-options.ts'
import { ErrorReports } from './error-reports.ts'
import { type ExtensionMethod, extensionMethods } from './extension-methods.ts'
import { MiddlewareStack } from './middleware.ts'
import { backendsIn, checkBackends, type MountOptions, mountSettings } from './mounted-backends.ts'
import type { Feature, MountedBackend, MountingServer, PageSizes } from './offers.ts'
import { Registry } from './registry.ts'

/** Another server, seen through a prefix. */
interface Mount extends Required<MountOptions> {
  readonly definition: Definition
}

// A definition is generic only at its surface: inside, a handler and the context made for it always belong to the
// same definition, so the type of the context is erased here.
type App = never

/**
 * A server, compiled: shared by all of its connections, which keep their own state elsewhere. Only the
 * registries and the mounts change.
 */
export class Definition implements ChangeSource, SharedServer, MountingServer {
  readonly info: Implementation
  readonly instructions: string | undefined
  readonly revisions: readonly Revision[]
  readonly sessionRevisions: readonly Revision[]
  readonly statelessRevisions: readonly Revision[]
  readonly pageSizes: PageSizes
  readonly cache: CompiledCache
  readonly layers: MiddlewareStack<App>
  #spent: SpentStates | undefined
  sharedTasks: SharedTasks | undefined
  /** The bytes that are kept for clients, on all connections together. */
  readonly budget: Budget
  readonly tools: Registry<ServerTool<App>>
  readonly resources: Registry<ServerResource<App> | ServerResourceTemplate<App>>
  readonly prompts: Registry<ServerPrompt<App>>
  readonly mounts: Mount[] = []
  readonly options: ServerOptions<App>
  /** The notifications that clients can subscribe to, by the field of the filter. Extensions may add theirs. */
  readonly topics: Map<string, Topic> = new Map([...coreTopics, ...taskTopics])
  readonly changes: ChangeFeed = new ChangeFeed(this)
  readonly #errors: ErrorReports
  #backends: { readonly version: number; readonly found: readonly MountedBackend[] } | undefined
  #composed: Backend | undefined
  readonly #declared: ReadonlySet<Feature>
  readonly #extensionMethods: ReadonlyMap<string, ExtensionMethod>

  constructor(options: ServerOptions<App>) {
    checkServerOptions(options)
    this.options = options
    this.info = checkInfo(options)
    this.#errors = new ErrorReports(this.info.name, options.onError)
    const problem = wrongExtensionName(Object.keys(options.capabilities?.extensions ?? {}))
    if (problem !== undefined) {
      throw new McpError('invalid_definition', `createServer capabilities.extensions: ${problem}`)
    }
    this.#extensionMethods = extensionMethods(checkList(options.extensions, 'extensions'))
    this.instructions = options.instructions
    this.revisions = checkRevisions(options.revisions ?? revisions)
    const { sessionRevisions, statelessRevisions } = sortRevisions(this.revisions)
    this.sessionRevisions = sessionRevisions
    this.statelessRevisions = statelessRevisions
    this.pageSizes = checkPageSizes(options.pageSize)
    this.cache = compileCache(options.cache)
    this.layers = new MiddlewareStack(options.middleware ?? [])
    // Wrong keys are noticed here, and not when something has to be sealed.
    if (options.stateKeys) checkKeys(options.stateKeys)
    this.#spent = options.spentStates
    this.budget = new Budget(checkKeptBytes(options.limits?.maxKeptBytes))
    showKept(this.info.name, this.budget)
    const changed = (feature: Feature, key: string, item: Parameters<typeof listRule<App>>[0]): void =>
      this.emit({ kind: 'list', feature, key, visible: listRule(item), owner: this })
    this.tools = new Registry(
      'tool',
      ({ name }) => name,
      (tool) => changed('tools', tool.name, tool),
    )
    this.resources = new Registry(
      'resource',
      ({ uri }) => uri,
      (resource) => changed('resources', resource.uri, resource),
    )
    this.prompts = new Registry(
      'prompt',
      ({ name }) => name,
      (prompt) => changed('prompts', prompt.name, prompt),
    )
    this.tools.add(...checkList(options.tools, 'tools'))
    this.resources.add(...checkList(options.resources, 'resources'))
    this.prompts.add(...checkList(options.prompts, 'prompts'))
    // Wrong options are noticed here, and not when the first task is made.
    if (options.tasks !== undefined) serverTaskSettings(options.tasks)
    this.#declared = new Set((['tools', 'resources', 'prompts'] as const).filter((feature) => options[feature]))
    if (options.bus !== undefined) this.useBus(options.bus)
  }

  /** True if the server has the feature, even if its list is empty at the moment. A backend may offer everything. */
  offers(feature: Feature): boolean {
    const has = this.options.backend !== undefined || this.#declared.has(feature) || this[feature].size > 0
    return has || this.mounts.some((mount) => mount.definition.offers(feature))
  }

  /** The same without backends, which describe themselves. */
  #registers(feature: Feature): boolean {
    const has = this.#declared.has(feature) || this[feature].size > 0
    return has || this.mounts.some((mount) => mount.definition.#registers(feature))
  }

  get completes(): boolean {
    return (
      this.mounts.some((mount) => mount.definition.completes) ||
      [...this.prompts, ...this.resources].some((item) => 'completers' in item && item.completers.size > 0)
    )
  }

  /** True if there is a tool that may run as a task, or may come. */
  get offersTasks(): boolean {
    return (
      this.options.tasks !== undefined ||
      [...this.tools].some((tool) => tool.task !== undefined) ||
      this.mounts.some((mount) => mount.definition.offersTasks)
    )
  }

  get logs(): boolean {
    return this.options.logging ?? true
  }

  /** The declared capabilities. `known` says whether this client can be told from others. */
  capabilities({ known = false }: { known?: boolean } = {}): ServerCapabilities {
    return {
      ...(this.#registers('tools') && { tools: { listChanged: true } }),
      ...(this.#registers('resources') && { resources: { subscribe: true, listChanged: true } }),
      ...(this.#registers('prompts') && { prompts: { listChanged: true } }),
      ...(this.completes && { completions: {} }),
      ...(this.logs && { logging: {} }),
      ...this.options.capabilities,
      ...this.#extensionCapabilities(known),
    }
  }

  #extensionCapabilities(known: boolean): Pick<ServerCapabilities, 'extensions'> {
    const tasks = this.offersTasks && { [tasksExtension]: { ...(known && { list: {} }) } }
    const extensions = { ...tasks, ...this.extensionSettings() }
    return Object.keys(extensions).length === 0 ? {} : { extensions }
  }

  /** The declared extensions, here and in mounted servers. */
  extensionSettings(): NonNullable<ServerCapabilities['extensions']> {
    const served = (this.options.extensions ?? []).map(({ extension, settings }) => [extension.id, settings] as const)
    return Object.assign(
      {},
      ...this.mounts.map(({ definition }) => definition.extensionSettings()),
      this.options.capabilities?.extensions,
      Object.fromEntries(served),
    )
  }

  /** Who answers a method of an extension: this server, or a mounted one. */
  extensionMethod(name: string): { definition: Definition; method: ExtensionMethod } | undefined {
    const method = this.#extensionMethods.get(name)
    if (method !== undefined) return { definition: this, method }
    for (const mount of this.mounts) {
      const found = mount.definition.extensionMethod(name)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Answers in place of the registries, or, if servers with backends are mounted, for these too. */
  get backend(): Backend | undefined {
    const own = this.options.backend
    if (own !== undefined || this.mounts.length === 0) return own
    const [first] = this.mountedBackends
    if (first === undefined) return undefined
    this.#composed ??= first.backend.compose(this)
    return this.#composed
  }

  /** The mounted servers that have backends, also those in mounted servers. Of two with one prefix the first counts. */
  get mountedBackends(): readonly MountedBackend[] {
    const { version } = this
    // Every request asks for it, and there may be many.
    if (this.#backends?.version !== version) this.#backends = { version, found: backendsIn(this.mounts) }
    return this.#backends.found
  }

  /** Adds another server's offers; returns the function that removes them. */
  mount(definition: Definition, how: MountOptions): () => void {
    const settings = mountSettings(how)
    const { prefix } = settings
    if (definition === this || definition.contains(this)) {
      throw new McpError('invalid_definition', `${this.info.name}: a server cannot be mounted into itself`)
    }
    checkPrefix(prefix, `mount of ${definition.info.name}`)
    checkBackends(this, definition, prefix)
    const mount = { definition, ...settings }
    this.mounts.push(mount)
    // Changes that came from other processes, or go there by themselves, must not go there a second time.
    const listener: ChangeListener = {
      changed: (change, own) => (own && !definition.changes.isShared ? this.emit(change) : this.repeat(change)),
      missed: () => this.missed(),
    }
    definition.onChange(listener)
    this.#mountsChanged(definition)
    return () => {
      const index = this.mounts.indexOf(mount)
      if (index < 0) return
      this.mounts.splice(index, 1)
      definition.forget(listener)
      this.#mountsChanged(definition)
    }
  }

  #mountsChanged(owner: Definition): void {
    for (const feature of ['tools', 'resources', 'prompts'] as const) {
      if (owner.offers(feature)) this.emit({ kind: 'list', feature, visible: undefined, owner })
    }
  }

  contains(other: Definition): boolean {
    return this.mounts.some(({ definition }) => definition === other || definition.contains(other))
  }

  /** This definition or a mounted one, by its name. */
  named(name: unknown): Definition | undefined {
    if (this.info.name === name) return this
    for (const mount of this.mounts) {
      const found = mount.definition.named(name)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Grows with every change of a list, here or below: anything derived from an older version is stale. */
  get version(): number {
    return this.changes.version
  }

  /** Tells a listener of every change, until it is forgotten. */
  onChange(listener: ChangeListener): void {
    this.changes.add(listener)
  }

  forget(listener: ChangeListener): void {
    this.changes.remove(listener)
  }

  /** Something changed here. */
  emit(change: ServerChange): void {
    this.changes.emit(change)
  }

  /** Something changed in another process. */
  repeat(change: ServerChange): void {
    this.changes.repeat(change)
  }

  /** Changes in other processes are not known. */
  missed(): void {
    this.changes.missed()
  }

  passReport(report: PassedReport): MaybePromise<void> {
    return this.changes.pass(report)
  }

  /** Shares tasks with other processes, unless the server has a store of its own. Only the first are used. */
  useTasks(shared: SharedTasks): void {
    this.sharedTasks ??= shared
  }

  /** True if this process takes runs of tasks that others make. */
  get sharesTasks(): boolean {
    return serverTaskQueue(this.options.tasks, this.sharedTasks) !== undefined
  }

  /** Shares changes with other processes. Only the first bus is used. */
  useBus(bus: Bus, history?: ChangeHistory): void {
    this.changes.useBus(bus, history)
  }

  /** Done when changes in other processes arrive here, of mounted servers too. */
  async joinBus(): Promise<void> {
    await this.changes.join()
    for (const { definition } of this.mounts) await definition.joinBus()
  }

  /** Remembers which states of requests were used. */
  get spent(): SpentStates {
    this.#spent ??= new MemorySpentStates()
    return this.#spent
  }

  /** Shares that with other processes, unless the server has an option of its own. */
  useSpentStates(shared: SpentStates): void {
    this.#spent ??= shared
  }

  /** True if a context is made for callers, here or in a mounted server. */
  get makesContexts(): boolean {
    return this.options.context !== undefined || this.mounts.some((mount) => mount.definition.makesContexts)
  }

  /** The user context for a caller; made once per caller, by the server whose handlers get it. */
  contextFor(caller: CallerState): unknown {
    const make = this.options.context as ((caller: Caller) => unknown) | undefined
    return make === undefined ? undefined : caller.contextFor(this, make)
  }

  /** Whether a caller may see an item. A rule that throws says no: when in doubt, hide. */
  async sees(caller: CallerState, visible: Visible<App> | undefined): Promise<boolean> {
    if (visible === undefined) return true
    try {
      return await visible(caller, (await this.contextFor(caller)) as App)
    } catch (error) {
      this.report(error, 'visible')
      return false
    }
  }

  /** Reports an error that a peer does not see to the operator; returns the id that the peer gets instead. */
  report(error: unknown, during: string): string {
    return this.#errors.fault(error, during)
  }

  /** Reports an error that the peer made, and was told of. */
  reportPeer(error: unknown, during: string): void {
    this.#errors.faultOfPeer(error, during)
  }

  /** Ends the user contexts of a caller. */
  release(caller: CallerState): void {
    caller.dispose((error) => this.report(error, 'context'))
  }

  /** The codec of a revision, if this server speaks it. */
  codec(revision: unknown): Codec | undefined {
    return isRevision(revision) && this.revisions.includes(revision) ? codecFor(revision) : undefined
  }
}
